import { colorTokens } from '@topup-kit/core/styles';

/** Colours and elements that the pages for developers share, light and dark. */
const baseStyle = `${colorTokens}* { box-sizing: border-box; }
a { color: var(--brand); }
:focus-visible { outline: 3px solid var(--brand); outline-offset: 2px; }
p { margin: 0.5rem 0; }
code, pre { font: 0.875em/1.5 ui-monospace, monospace; }
code { background: var(--ground); padding: 0.1em 0.3em; border-radius: 0.3em; }
pre { margin: 0.5rem 0; padding: 0.75rem; max-height: 28rem; overflow: auto; background: var(--ground); border: 1px solid var(--line); border-radius: 0.5rem; overflow-wrap: normal; }
.bar { display: flex; flex-wrap: wrap; gap: 0.5rem; align-items: center; }
button { font: inherit; font-size: 0.9rem; padding: 0.3rem 0.8rem; border: 1px solid var(--brand); border-radius: 0.5rem; background: var(--paper); color: var(--brand); cursor: pointer; }
button:hover { background: var(--ground); }
[hidden] { display: none !important; }
button[disabled] { opacity: 0.6; cursor: progress; }
`;

/** Style of the API page: one card at a time, next to the contents on wide screens, and instead of them on others. */
export const apiPageStyle = `${baseStyle}html { scroll-padding-top: 1rem; }
body { margin: 0 auto; padding: 1rem; max-width: 76rem; background: var(--ground); color: var(--ink); font: 1rem/1.6 system-ui, sans-serif; overflow-wrap: anywhere; }
.skip { position: absolute; left: -100rem; }
.skip:focus { position: static; }
h1 { margin: 0; font-size: 1.6rem; line-height: 1.2; }
h2 { margin: 0; font-size: 1.2rem; line-height: 1.4; }
h3 { margin: 1rem 0 0.25rem; font-size: 1rem; }
nav summary { color: var(--ink); }
nav h2 { display: inline; font-size: 1rem; }
nav ul { list-style: none; margin: 0; padding: 0; font-size: 0.9rem; }
nav li { padding: 0.25rem 0; }
nav li code { display: block; color: var(--soft); background: none; padding: 0; }
nav details:last-child ul { display: flex; flex-wrap: wrap; gap: 0 0.9rem; }
.card { padding: 1.25rem; background: var(--paper); border: 1px solid var(--line); border-radius: 0.75rem; }
.card:not(:target, :has(:target)) { display: none; }
.copy { justify-content: space-between; min-height: 2.25rem; margin-top: 0.75rem; }
.copy h3 { margin: 0; }
.address code { font-weight: 600; }
.status { display: inline-block; min-width: 2.5rem; font-family: ui-monospace, monospace; color: var(--brand); }
.source { display: inline-block; padding: 0 0.5em; border: 1px solid var(--line); border-radius: 1em; font-size: 0.75rem; font-weight: 400; color: var(--soft); white-space: nowrap; }
.soft { color: var(--soft); font-size: 0.875rem; }
.name { font-weight: 600; }
dl { margin: 0.5rem 0 0; }
dl div { padding: 0.5rem 0; border-top: 1px solid var(--line); }
dd { margin: 0; }
details { margin: 0.4rem 0; }
summary { cursor: pointer; color: var(--brand); padding: 0.15rem 0; }
label { display: block; margin: 0.5rem 0; font-size: 0.9rem; }
input, textarea { display: block; width: 100%; max-width: 34rem; padding: 0.4rem 0.6rem; border: 1px solid var(--soft); border-radius: 0.4rem; background: var(--paper); color: var(--ink); font: 0.875rem/1.5 ui-monospace, monospace; }
textarea { max-width: none; min-height: 12rem; }
output { display: block; }
@media (scripting: none) { .scripted { display: none; } }
@media (width < 60rem) { body:has(.card:target, .card :target) nav { display: none; } }
@media (width >= 60rem) {
body { display: grid; grid-template: auto 1fr / 19rem minmax(0, 1fr); column-gap: 2rem; padding: 1.5rem; }
header { grid-column: 1 / -1; }
nav { position: sticky; top: 1rem; align-self: start; max-height: calc(100vh - 2rem); overflow-y: auto; }
.back { display: none; }
main:not(:has(.card:target, .card :target)) #start { display: block; }
}
`;

/** Style of the root page: one column. */
export const rootPageStyle = `${baseStyle}
body { margin: 0 auto; padding: 2rem 1rem; max-width: 46rem; background: var(--ground); color: var(--ink); font: 1rem/1.6 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { margin: 0; font-size: 1.6rem; line-height: 1.2; }
h2 { margin: 0; font-size: 1.1rem; }
section { margin: 1.25rem 0 0; padding: 1rem 1.25rem; background: var(--paper); border: 1px solid var(--line); border-radius: 0.75rem; }
.door { display: inline-block; padding: 0.4rem 1rem; border-radius: 0.5rem; background: var(--brand); color: var(--paper); text-decoration: none; font-weight: 600; }
.mode { padding: 0.1em 0.7em; border-radius: 1em; background: var(--brand); color: var(--paper); font-size: 0.875rem; font-weight: 600; }
dl { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 0.35rem 1rem; margin: 0; }
dt { color: var(--soft); }
dd { margin: 0; }
.copy { justify-content: space-between; }
`;
