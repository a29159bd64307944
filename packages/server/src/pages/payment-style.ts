import { colorTokens } from '@topup-kit/core/styles';

/** Style of the payment page: one column that fits a phone, light and dark. */
export const paymentStyle = `${colorTokens}:root { --accent: var(--brand); --on-accent: var(--paper); --busy: var(--brand); --spent: var(--soft); --spent-wash: var(--ground); }
* { box-sizing: border-box; }
body { margin: 0; padding: clamp(0.5rem, 4vw, 1rem); background: var(--ground); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; }
main { max-width: 28rem; margin: 0 auto; padding: clamp(1rem, 5vw, 1.5rem); background: var(--paper); border: 1px solid var(--line); border-radius: 1rem; --tone: var(--spent); --tone-wash: var(--spent-wash); }
main[data-status="waiting"] { --tone: var(--wait); --tone-wash: var(--wait-wash); }
main[data-status="processing"] { --tone: var(--busy); --tone-wash: var(--wash); }
main[data-status="delivered"] { --tone: var(--good); --tone-wash: var(--good-wash); }
main[data-status="undelivered"], main[data-status="failed"] { --tone: var(--bad); --tone-wash: var(--bad-wash); }
h1 { margin: 0; font-size: 1.25rem; line-height: 1.3; overflow-wrap: anywhere; }
h1 + p { margin: 0.25rem 0 1rem; }
h1 + .status { margin-top: 1rem; }
.shop { margin: 0 0 0.75rem; padding-bottom: 0.75rem; border-bottom: 1px solid var(--line); color: var(--ink); font-weight: 700; overflow-wrap: anywhere; }
h2 { margin: 0; font-size: 1rem; line-height: 1.4; }
p { margin: 0.5rem 0; color: var(--soft); }
a { color: var(--accent); }
.status { display: flex; gap: 0.75rem; padding: 0.75rem 1rem; border: 1px solid var(--tone); border-radius: 0.75rem; background: var(--tone-wash); }
.status strong { color: var(--tone); }
.status p { margin: 0; color: var(--ink); font-size: 0.9rem; }
.icon { flex: none; width: 1.75rem; height: 1.75rem; margin-top: 0.1rem; fill: none; stroke: var(--tone); stroke-width: 2; stroke-linecap: round; stroke-linejoin: round; }
.turns { transform-origin: 12px 12px; animation: turn 1.2s linear infinite; }
@keyframes turn { to { transform: rotate(1turn); } }
@media (prefers-reduced-motion: reduce) { .turns { animation: none; } }
.connection-error { color: var(--bad); font-size: 0.9rem; }
.connection-error:empty { margin: 0; }
.reload { font-size: 0.9rem; }
.amount { margin: 1rem 0 1.25rem; font-size: 2rem; font-weight: 700; line-height: 1.2; color: var(--ink); }
.amount .label { display: block; font-size: 0.9rem; font-weight: 400; line-height: 1.5; color: var(--soft); }
.pay, .serial, .sandbox { margin: 1.25rem 0; padding: 1rem; border: 1px solid var(--line); border-radius: 0.75rem; text-align: center; }
.pay p { margin: 0.25rem 0; text-wrap: balance; }
.pay img { display: block; width: min(100%, 16rem); height: auto; margin: 0.75rem auto; padding: 0.75rem; border-radius: 0.5rem; background: #ffffff; }
.code { display: block; margin: 0.75rem 0; font: 600 1.125rem/1.4 ui-monospace, monospace; letter-spacing: 0.02em; overflow-wrap: anywhere; text-wrap: balance; color: var(--ink); }
.as-text { margin: 0.75rem 0; }
.as-text summary { cursor: pointer; color: var(--accent); font-size: 0.9rem; }
.as-text .code { font-size: 0.8rem; font-weight: 400; letter-spacing: 0; text-wrap: wrap; overflow-wrap: anywhere; }
.code span + span { margin-left: 0.4em; }
.code span { display: inline-block; }
.copied { min-height: 1.5rem; margin: 0; font-size: 0.9rem; font-weight: 600; color: var(--good); }
.left span { font-weight: 700; font-variant-numeric: tabular-nums; color: var(--ink); }
.left span.soon { color: var(--bad); }
.deadline { font-size: 0.9rem; }
button, .button { min-height: 2.75rem; padding: 0.5rem 1.25rem; border: 1px solid var(--accent); border-radius: 0.75rem; background: var(--paper); color: var(--accent); font: inherit; font-weight: 600; line-height: 1.25; cursor: pointer; }
button:hover { background: var(--wash); color: var(--busy); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.needs-script { display: none; }
.scripted .needs-script { display: block; }
.money { white-space: nowrap; }
.return { margin: 0 0 1.25rem; text-align: center; }
.return a { overflow-wrap: anywhere; }
.button { display: block; padding-top: 0.625rem; background: var(--accent); color: var(--on-accent); text-decoration: none; }
dl { margin: 0.5rem 0 0; }
dl div { display: flex; justify-content: space-between; gap: 1rem; padding: 0.5rem 0; border-top: 1px solid var(--line); }
dt { color: var(--soft); }
dd { margin: 0; text-align: right; overflow-wrap: anywhere; }
.total { font-weight: 700; }
.total dt { color: inherit; }
.sandbox { margin-bottom: 0; border-style: dashed; }
.sandbox p { margin: 0; font-size: 0.9rem; text-wrap: balance; }
.actions { display: grid; grid-template-columns: 1fr 1fr; gap: 0.5rem; margin-top: 0.75rem; }
.actions button { width: 100%; padding: 0.5rem; }
.actions form:first-child { grid-column: 1 / -1; }
.actions form:first-child button { background: var(--accent); color: var(--on-accent); }
.button:hover, .actions form:first-child button:hover { filter: brightness(1.1); }
`;
