import { createHash } from 'node:crypto';

/** The style of the payment page: one column, right on a phone, light and dark. */
export const paymentStyle = `
:root { color-scheme: light dark; --ink: #1a1d24; --soft: #565d6d; --paper: #ffffff; --ground: #eef1f6; --line: #dfe3ec; --accent: #1f5eff; }
@media (prefers-color-scheme: dark) { :root { --ink: #eef1f7; --soft: #a9b1c2; --paper: #1c2029; --ground: #12151b; --line: #313846; --accent: #86a9ff; } }
* { box-sizing: border-box; }
body { margin: 0; padding: 1rem; background: var(--ground); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; }
main { max-width: 28rem; margin: 0 auto; padding: 1.5rem; background: var(--paper); border: 1px solid var(--line); border-radius: 1rem; }
h1 { margin: 0; font-size: 1.25rem; line-height: 1.3; }
h1 + p { margin: 0.25rem 0 1rem; }
p { margin: 0.5rem 0; color: var(--soft); }
.status { display: inline-block; margin: 0; padding: 0.15rem 0.75rem; border: 1px solid currentColor; border-radius: 1rem; color: var(--accent); font-size: 0.9rem; font-weight: 600; }
.amount { margin: 1rem 0 0; font-size: 2rem; font-weight: 700; line-height: 1.2; color: var(--ink); }
.pay { margin: 1.25rem 0; padding: 1rem; border: 1px solid var(--line); border-radius: 0.75rem; text-align: center; }
.pay img { display: block; width: min(100%, 16rem); height: auto; margin: 0.75rem auto 0; border-radius: 0.5rem; }
.code { display: block; margin-top: 0.5rem; font: 600 1.25rem/1.4 ui-monospace, monospace; letter-spacing: 0.04em; overflow-wrap: anywhere; color: var(--ink); }
dl { margin: 0; }
dl div { display: flex; justify-content: space-between; gap: 1rem; padding: 0.5rem 0; border-top: 1px solid var(--line); }
dt { color: var(--soft); }
dd { margin: 0; text-align: right; overflow-wrap: anywhere; }
.total { font-weight: 700; }
.total dt { color: inherit; }
.note { margin: 1rem 0 0; font-size: 0.9rem; text-align: center; }
`;

/** How a Content-Security-Policy names this style and no other. */
export const paymentStyleSource = `'sha256-${createHash('sha256').update(paymentStyle).digest('base64')}'`;
