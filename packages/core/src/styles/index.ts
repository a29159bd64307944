/** Colours of all pages for operators and developers, light and dark. The storefront uses the same colours. */
export const colorTokens = `
:root { color-scheme: light dark; --ink: #17132f; --soft: #595475; --paper: #fff; --ground: #f4f2fb; --line: #dfdbee; --edge: #8b85a6; --night: #130f2e; --bolt: #ffd23f; --brand: #5b21d6; --fill: #5b21d6; --bar: #5b21d6; --wash: #efe8ff; --good: #0a6b3c; --good-wash: #def5e8; --wait: #7a4b00; --wait-wash: #fff2d6; --bad: #b3201c; --bad-wash: #fde9e7; }
@media (prefers-color-scheme: dark) { :root { --ink: #eeecf8; --soft: #b8b2d4; --paper: #1d1839; --ground: #110e23; --line: #352e5c; --edge: #857dae; --night: #0b0819; --brand: #bba6ff; --fill: #6a35e0; --bar: #8f63f5; --wash: #32266a; --good: #62d59c; --good-wash: #12372a; --wait: #ffd07a; --wait-wash: #40300f; --bad: #ffa19a; --bad-wash: #4a1d22; } }
`;

/** Styles for elements of the simulators' pages. */
export const baseStyles = `
* { box-sizing: border-box; }
a { color: var(--brand); }
a:not(:hover) { text-decoration-thickness: 1px; text-underline-offset: 2px; }
:focus-visible { outline: 3px solid var(--brand); outline-offset: 2px; }
code, pre, kbd { font: 0.9em/1.5 ui-monospace, monospace; }
h1 { margin: 0; font-size: 1.5rem; line-height: 1.25; }
h2 { margin: 0 0 0.5rem; font-size: 1.05rem; }
h3 { margin: 1rem 0 0.25rem; font-size: 0.95rem; }
p { margin: 0.4rem 0; }
header { display: flex; flex-wrap: wrap; gap: 0.5rem 0.75rem; align-items: center; padding: 0.75rem 0 0.5rem; }
.brand { font-weight: 700; font-size: 1.05rem; color: var(--ink); text-decoration: none; }
button, .button { display: inline-block; font: inherit; font-size: 0.9rem; padding: 0.35rem 0.85rem; border: 1px solid var(--brand); border-radius: 0.5rem; background: var(--paper); color: var(--brand); text-decoration: none; cursor: pointer; min-height: 2rem; }
button:hover, .button:hover { background: var(--wash); }
.card { padding: 1rem 1.1rem; background: var(--paper); border: 1px solid var(--line); border-radius: 0.75rem; min-width: 0; margin-bottom: 1rem; }
.badge { display: inline-flex; gap: 0.3em; align-items: center; padding: 0.1em 0.6em; border-radius: 1em; font-size: 0.8125rem; font-weight: 600; white-space: nowrap; background: var(--wash); color: var(--soft); border: 1px solid var(--line); }
.badge.good { background: var(--good-wash); color: var(--good); border-color: transparent; }
.badge.busy { background: var(--wait-wash); color: var(--wait); border-color: transparent; }
.badge.bad { background: var(--bad-wash); color: var(--bad); border-color: transparent; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; overflow-wrap: normal; }
th, td { text-align: left; vertical-align: top; padding: 0.45rem 0.9rem 0.45rem 0; border-top: 1px solid var(--line); font-weight: 400; }
th:last-child, td:last-child { padding-right: 0; }
thead td { border: 0; }
thead th { color: var(--soft); font-size: 0.8125rem; border: 0; white-space: nowrap; }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
pre { margin: 0; padding: 0.6rem 0.75rem; max-height: 24rem; overflow: auto; background: var(--wash); border: 1px solid var(--line); border-radius: 0.5rem; white-space: pre-wrap; overflow-wrap: anywhere; }
summary { cursor: pointer; color: var(--brand); padding: 0.15rem 0; }
`;
