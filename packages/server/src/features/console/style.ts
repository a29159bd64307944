import { colours, elements } from '@topup-kit/core/look';

export const consoleStyle = `${colours}${elements}[hidden], html:not(.scripted) .needs-script { display: none !important; }
html { scroll-padding-top: 1rem; }
body { margin: 0 auto; padding: 0 1rem 3rem; max-width: 88rem; background: var(--ground); color: var(--ink); font: 0.9375rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
.skip { position: absolute; left: -100rem; }
.skip:focus { position: static; }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.ahead, .who, .soft { color: var(--soft); font-size: 0.875rem; }
header search { flex: 1 1 14rem; max-width: 30rem; margin-left: auto; }
input, select, textarea { font: inherit; color: var(--ink); background: var(--paper); border: 1px solid var(--soft); border-radius: 0.4rem; padding: 0.35rem 0.6rem; max-width: 100%; }
header input { width: 100%; }
textarea { width: 100%; min-height: 4.5rem; }
nav ul { display: flex; gap: 0.25rem; margin: 0 0 1rem; padding: 0; list-style: none; border-bottom: 1px solid var(--line); overflow-x: auto; }
nav a { display: block; padding: 0.5rem 0.8rem; color: var(--soft); text-decoration: none; border-bottom: 3px solid transparent; white-space: nowrap; }
nav a:hover { color: var(--ink); }
nav a[aria-current] { color: var(--ink); font-weight: 600; border-color: var(--accent); }
.title { display: flex; flex-wrap: wrap; gap: 0.5rem 1rem; align-items: center; justify-content: space-between; margin: 0 0 1rem; }
.actions, .filters, .chips { display: flex; flex-wrap: wrap; gap: 0.5rem; align-items: end; }
.filters .field > :is(input, select) { height: 2.4rem; }
.chips { margin: 0 0 0.75rem; }
.button.main, button.main { background: var(--accent); color: var(--paper); }
.button.danger, button.danger { border-color: var(--bad); color: var(--bad); }
button.plain { border-color: var(--line); color: var(--soft); padding: 0.2rem 0.6rem; }
.chips .button { border-color: var(--line); color: var(--ink); border-radius: 1rem; }
.chips .button[aria-current] { border-color: var(--accent); color: var(--accent); font-weight: 600; }
.grid { display: grid; gap: 1rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 19rem), 1fr)); margin-bottom: 1rem; }
.columns { display: grid; gap: 1rem; grid-template-columns: minmax(0, 1fr); align-items: start; }
@media (min-width: 64rem) { .columns { grid-template-columns: minmax(0, 3fr) minmax(0, 2fr); } }
.grid .card { margin-bottom: 0; }
.figure { font-size: 1.2rem; white-space: nowrap; font-weight: 650; font-variant-numeric: tabular-nums; line-height: 1.3; }
.figures { display: flex; flex-wrap: wrap; gap: 0.75rem 1.75rem; }
.compared { color: var(--soft); font-size: 0.875rem; font-variant-numeric: tabular-nums; }
.icon { width: 1em; height: 1em; fill: none; stroke: currentColor; stroke-width: 2.2; stroke-linecap: round; stroke-linejoin: round; }
.notice { padding: 0.6rem 0.9rem; border-radius: 0.5rem; margin: 0 0 1rem; background: var(--busy-ground); color: var(--busy); }
.notice.good { background: var(--good-ground); color: var(--good); }
.notice.bad { background: var(--bad-ground); color: var(--bad); }
.empty { color: var(--soft); padding: 0.75rem 0; }
td .actions { flex-wrap: nowrap; }
td time, td code, a > code { white-space: nowrap; }
@media (max-width: 40rem) { a > code { white-space: normal; } }
.row:focus-within, .row:hover, .row:target { background: color-mix(in srgb, var(--accent) 7%, transparent); }
.row.bad td:first-child { box-shadow: inset 3px 0 var(--bad); padding-left: 0.6rem; }
.row.changed td { animation: changed 2s; }
@keyframes changed { from { background: var(--busy-ground); } }
@media (prefers-reduced-motion: reduce) { .row.changed td { animation: none; } }
dl { margin: 0; }
dl > div { display: grid; grid-template-columns: minmax(7rem, 11rem) minmax(0, 1fr); gap: 0.25rem 1rem; padding: 0.3rem 0; border-top: 1px solid var(--line); }
dl > div:first-child { border: 0; }
.note { white-space: pre-line; }
dt { color: var(--soft); }
dd .badge { white-space: normal; }
dd { margin: 0; font-variant-numeric: tabular-nums; }
.copy button { min-height: 1.5rem; min-width: 1.5rem; padding: 0 0.35rem; font-size: 0.8rem; border-color: var(--line); }
.copyable { position: relative; margin: 0.4rem 0; }
.copyable .copy { position: absolute; top: 0.3rem; right: 0.3rem; }
.copyable .copy button { padding: 0.1rem 0.5rem; }
details { margin: 0.4rem 0; }
.field { display: block; margin: 0 0 0.75rem; }
.field > span { display: block; color: var(--soft); font-size: 0.875rem; }
.field input:not([type=checkbox]):not([type=radio]) { width: 100%; max-width: 28rem; }
fieldset { border: 0; margin: 0 0 0.75rem; padding: 0; }
legend { color: var(--soft); font-size: 0.875rem; padding: 0; }
.form { max-width: 44rem; }
.timeline { list-style: none; margin: 0; padding: 0 0 0 1.1rem; border-left: 2px solid var(--line); }
.timeline > li { position: relative; padding: 0 0 0.9rem; }
.timeline > li::before { content: ''; position: absolute; left: calc(-1.1rem - 6px); top: 0.45rem; width: 10px; height: 10px; border-radius: 50%; background: var(--before); }
.timeline > li.good::before { background: var(--good); }
.timeline > li.busy::before { background: var(--busy); }
.timeline > li.bad::before { background: var(--bad); }
.plot { display: block; width: 100%; height: auto; }
.share { display: block; width: 60px; margin: 2px 0 0 auto; }
:is(.plot, .share) .now { fill: var(--accent); }
:is(.plot, .share) .before { fill: var(--before); }
.hours { display: grid; grid-template-columns: repeat(4, 1fr); color: var(--soft); font-size: 0.75rem; font-variant-numeric: tabular-nums; }
.legend { display: flex; gap: 1rem; color: var(--soft); font-size: 0.8125rem; }
.legend span::before { content: ''; display: inline-block; width: 0.7em; height: 0.7em; margin-right: 0.35em; border-radius: 2px; background: var(--accent); }
.legend .before::before { background: var(--before); }
dialog { border: 1px solid var(--line); border-radius: 0.75rem; background: var(--paper); color: var(--ink); padding: 1.25rem; max-width: min(34rem, 92vw); }
dialog::backdrop { background: rgb(0 0 0 / 0.4); }
kbd { padding: 0.05em 0.4em; border: 1px solid var(--line); border-radius: 0.3em; background: var(--ground); }
@media (max-width: 40rem) {
header search { order: 1; flex-basis: 100%; max-width: none; }
nav ul { flex-wrap: wrap; }
table.stacks thead { display: none; }
table.stacks tr { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0.1rem 0.75rem; padding: 0.5rem 0; border-top: 1px solid var(--line); }
table.stacks td { padding: 0; border: 0; max-width: 100%; }
table.stacks td:empty { display: none; }
table.stacks td code { white-space: normal; }
table.stacks td.number::before { content: attr(data-title) ' '; color: var(--soft); font-size: 0.8125rem; }
dl > div { grid-template-columns: minmax(6rem, 8rem) minmax(0, 1fr); }
}
`;
