/** The style of the API page: contents beside the text on wide screens, light and dark. */
export const apiPageStyle = `
:root { color-scheme: light dark; --ink: #1a1d24; --soft: #525969; --paper: #ffffff; --ground: #eef1f6; --line: #dfe3ec; --accent: #1a55e8; }
@media (prefers-color-scheme: dark) { :root { --ink: #eef1f7; --soft: #a9b1c2; --paper: #1c2029; --ground: #12151b; --line: #313846; --accent: #86a9ff; } }
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body { margin: 0 auto; padding: 1rem; max-width: 76rem; background: var(--ground); color: var(--ink); font: 1rem/1.6 system-ui, sans-serif; overflow-wrap: anywhere; }
a { color: var(--accent); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.skip { position: absolute; left: -100rem; }
.skip:focus { position: static; }
h1 { margin: 0.5rem 0; font-size: 1.9rem; line-height: 1.2; }
h2 { font-size: 1.3rem; margin: 0 0 0.5rem; }
h3 { font-size: 1.2rem; margin: 0; line-height: 1.4; }
h4 { font-size: 1rem; margin: 1.5rem 0 0.25rem; }
p { margin: 0.5rem 0; }
nav h2 { font-size: 1rem; margin: 1rem 0 0.25rem; }
nav ul { list-style: none; margin: 0; padding: 0; font-size: 0.9rem; }
nav li { padding: 0.3rem 0; }
nav li code { display: block; color: var(--soft); background: none; padding: 0; }
.objects { display: flex; flex-wrap: wrap; gap: 0 0.9rem; }
main > section { margin: 0 0 1.25rem; padding: 1.25rem; background: var(--paper); border: 1px solid var(--line); border-radius: 0.75rem; }
.group { margin: 2rem 0 0; }
.group + p { margin-bottom: 1rem; }
code, pre { font: 0.875em/1.5 ui-monospace, monospace; }
code { background: var(--ground); padding: 0.1em 0.3em; border-radius: 0.3em; }
.address code { font-size: 1rem; font-weight: 600; }
.status { display: inline-block; min-width: 2.5rem; font-family: ui-monospace, monospace; color: var(--accent); }
.source { display: inline-block; padding: 0 0.5em; border: 1px solid var(--line); border-radius: 1em; font-size: 0.75rem; font-weight: 400; color: var(--soft); white-space: nowrap; }
.type { color: var(--soft); font-size: 0.875rem; }
.name { font-weight: 600; }
dl { margin: 0.5rem 0 0; }
dl div { padding: 0.5rem 0; border-top: 1px solid var(--line); }
dd { margin: 0; }
details { margin: 0.4rem 0; }
summary { cursor: pointer; color: var(--accent); padding: 0.15rem 0; }
pre { margin: 0.5rem 0; padding: 0.75rem; max-height: 28rem; overflow: auto; background: var(--ground); border: 1px solid var(--line); border-radius: 0.5rem; overflow-wrap: normal; }
.scroll { overflow-x: auto; margin: 0.5rem 0; }
table { border-collapse: collapse; min-width: 36rem; width: 100%; font-size: 0.9rem; overflow-wrap: normal; }
th, td { text-align: left; vertical-align: top; padding: 0.4rem 0.75rem 0.4rem 0; border-top: 1px solid var(--line); font-weight: 400; }
thead th { color: var(--soft); border: 0; }
@media (min-width: 60rem) {
body { display: grid; grid-template: auto 1fr / 19rem minmax(0, 1fr); column-gap: 2rem; padding: 1.5rem; }
header { grid-column: 1 / -1; }
nav { position: sticky; top: 1rem; align-self: start; max-height: calc(100vh - 2rem); overflow-y: auto; }
}
`;
