/** The colours of all pages that people work with, light and dark. */
export const colours = `
:root { color-scheme: light dark; --ink: #1a1d24; --soft: #525969; --paper: #ffffff; --ground: #f3f5f9; --line: #dfe3ec; --accent: #1a55e8; --good: #0b6b3a; --good-ground: #dff5e8; --busy: #7a4a00; --busy-ground: #fdf0d5; --bad: #a8181f; --bad-ground: #fde4e4; --before: #a4adbf; }
@media (prefers-color-scheme: dark) { :root { --ink: #eef1f7; --soft: #a9b1c2; --paper: #1c2029; --ground: #12151b; --line: #313846; --accent: #86a9ff; --good: #7ddfa6; --good-ground: #123524; --busy: #f3c677; --busy-ground: #3a2b0f; --bad: #ff9a9a; --bad-ground: #421a1c; --before: #5d677a; } }
`;

/** The elements that the console and the simulators of providers share. */
export const elements = `
* { box-sizing: border-box; }
a { color: var(--accent); }
a:not(:hover) { text-decoration-thickness: 1px; text-underline-offset: 2px; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
code, pre, kbd { font: 0.9em/1.5 ui-monospace, monospace; }
h1 { margin: 0; font-size: 1.5rem; line-height: 1.25; }
h2 { margin: 0 0 0.5rem; font-size: 1.05rem; }
h3 { margin: 1rem 0 0.25rem; font-size: 0.95rem; }
p { margin: 0.4rem 0; }
header { display: flex; flex-wrap: wrap; gap: 0.5rem 0.75rem; align-items: center; padding: 0.75rem 0 0.5rem; }
.brand { font-weight: 700; font-size: 1.05rem; color: var(--ink); text-decoration: none; }
button, .button { display: inline-block; font: inherit; font-size: 0.9rem; padding: 0.35rem 0.85rem; border: 1px solid var(--accent); border-radius: 0.5rem; background: var(--paper); color: var(--accent); text-decoration: none; cursor: pointer; min-height: 2rem; }
button:hover, .button:hover { background: var(--ground); }
.card { padding: 1rem 1.1rem; background: var(--paper); border: 1px solid var(--line); border-radius: 0.75rem; min-width: 0; margin-bottom: 1rem; }
.badge { display: inline-flex; gap: 0.3em; align-items: center; padding: 0.1em 0.6em; border-radius: 1em; font-size: 0.8125rem; font-weight: 600; white-space: nowrap; background: var(--ground); color: var(--soft); border: 1px solid var(--line); }
.badge.good { background: var(--good-ground); color: var(--good); border-color: transparent; }
.badge.busy { background: var(--busy-ground); color: var(--busy); border-color: transparent; }
.badge.bad { background: var(--bad-ground); color: var(--bad); border-color: transparent; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; overflow-wrap: normal; }
th, td { text-align: left; vertical-align: top; padding: 0.45rem 0.9rem 0.45rem 0; border-top: 1px solid var(--line); font-weight: 400; }
th:last-child, td:last-child { padding-right: 0; }
thead td { border: 0; }
thead th { color: var(--soft); font-size: 0.8125rem; border: 0; white-space: nowrap; }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
pre { margin: 0; padding: 0.6rem 0.75rem; max-height: 24rem; overflow: auto; background: var(--ground); border: 1px solid var(--line); border-radius: 0.5rem; white-space: pre-wrap; overflow-wrap: anywhere; }
summary { cursor: pointer; color: var(--accent); padding: 0.15rem 0; }
`;
