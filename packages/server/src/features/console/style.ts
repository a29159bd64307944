import { colorTokens } from '@topup-kit/core/styles';

export const consoleStyle = `${colorTokens}:root { --veil: #0b0819a6; --rule: 1px solid var(--line); --round: .75rem; --round-s: .5rem; --strip: 0px; --float: 0 4px 12px #17132f1f, 0 16px 48px #17132f33; }
@media (prefers-color-scheme: dark) { :root { --float: 0 0 0 1px #4a4278, 0 16px 48px #000000b3; } }

/* Base */
* { box-sizing: border-box; }
[hidden], html:not(.scripted) .needs-script { display: none !important; }
html { scroll-padding: 7rem 0 5rem; }
body { display: grid; grid-template: auto auto 1fr / 14rem minmax(0, 1fr); min-height: 100dvh; background: var(--ground); color: var(--ink); font: .875rem/1.25rem system-ui, Roboto, sans-serif; font-variant-numeric: tabular-nums; overflow-wrap: anywhere; -webkit-text-size-adjust: 100%; }
body, h1, h2, h3, p, dl, dd, ol, ul, pre, fieldset { min-width: 0; margin: 0; padding: 0; border: 0; }
ol, ul { list-style: none; }
h1 { font-size: 1.375rem; line-height: 1.75rem; }
h2 { font-size: .9375rem; }
h3 { font-size: .875rem; }
a { color: var(--brand); text-underline-offset: 2px; }
b, strong, th { font-weight: 600; }
small { font-size: .6em; font-weight: 500; }
code, pre, kbd { font: .8125rem/1.25rem ui-monospace, Menlo, Consolas, monospace; }
pre { max-height: 24rem; padding: .5rem .75rem; border-radius: var(--round-s); background: var(--ground); overflow: auto; white-space: pre-wrap; }
kbd { padding: 0 .375rem; border: var(--rule); border-radius: .25rem; background: var(--ground); }
button, input, select, textarea { font: inherit; color: inherit; }
input, select, textarea { width: 100%; min-height: 2.25rem; padding: .375rem .75rem; border: 1px solid var(--edge); border-radius: var(--round-s); background: var(--paper); }
textarea { min-height: 4.5rem; }
:is([type=radio], [type=checkbox]) { flex: none; width: 1.125rem; min-height: 0; height: 1.125rem; margin: 0; accent-color: var(--fill); }
summary, button, label { cursor: pointer; } summary { width: fit-content; color: var(--brand); font-weight: 600; line-height: 1.5rem; }
:focus-visible { outline: 2px solid var(--brand); outline-offset: 2px; }
.soft, ::placeholder, small, dt, .mode, .delta, .alerts time, .sum, .chips span, thead th, .group th, .empty, .field > span, legend { color: var(--soft); }
::placeholder { opacity: 1; }
.icon { flex: none; width: 1.125rem; height: 1.125rem; fill: none; stroke: currentColor; stroke-width: 2; stroke-linecap: round; stroke-linejoin: round; }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip { position: fixed; z-index: 9; padding: .5rem 1rem; background: var(--bolt); color: #130f2e; } .skip:not(:focus) { top: -9rem; }
.strip, .top, .title, .sum, .chips, .tabs, .actions, .dots, .pair, .side li a, .menu > :is(a, button), .lines > *, .legend { display: flex; align-items: center; gap: .5rem; }
.title, .sum, .chips, .actions, .dots { flex-wrap: wrap; }
.brand, .mode, .mode b, .state, .badge, .button, button { display: inline-flex; align-items: center; gap: .375rem; white-space: nowrap; }
.together { white-space: nowrap; } .together code { white-space: normal; }

/* Colours, next to words and icons */
.good { --tone: var(--good); --tone-wash: var(--good-wash); }
.bad { --tone: var(--bad); --tone-wash: var(--bad-wash); }
.wait { --tone: var(--wait); --tone-wash: var(--wait-wash); }
.busy { --tone: var(--brand); --tone-wash: var(--wash); }
.quiet { --tone: var(--soft); --tone-wash: var(--ground); }
.toned, .delta b, :is(.state, .lines, .alerts, .notice) .icon { color: var(--tone); }
:is(.state, .lines, .delta) .icon { width: 1rem; height: 1rem; } .state { vertical-align: top; }
.badge, .loud { padding: 0 .5rem; border-radius: 1rem; background: var(--tone-wash); color: var(--tone); font-weight: 600; line-height: 1.375rem; } .badge { font-size: .8125rem; }
dd .badge, .scroll:not(.list) .badge { white-space: normal; }

/* Frame */
.sandbox { --strip: 2.25rem; }
.strip { grid-area: 1 / 1 / auto / -1; position: sticky; z-index: 6; top: 0; justify-content: center; height: var(--strip); border-bottom: 2px solid var(--bolt); background: #130f2e; color: #fff; white-space: nowrap; }
.strip :is(.icon, a) { color: var(--bolt); line-height: 1.5rem; }
.side { grid-area: 2 / 1 / span 2; position: sticky; z-index: 5; top: var(--strip); height: calc(100dvh - var(--strip)); padding: 1rem .75rem; background: radial-gradient(26rem 20rem at 0 100%, #7c3aed66, #0000), var(--night); color: #fff; }
:is(.side, .strip, .plain .panel > p, .plain details) :focus-visible { outline-color: var(--bolt); }
.brand { color: inherit; font-size: 1.0625rem; font-weight: 800; text-decoration: none; } .brand .icon { width: 1.5rem; height: 1.5rem; color: var(--bolt); fill: currentColor; }
.side .brand { padding: 0 .625rem 1.25rem; }
.side li a { position: relative; gap: .75rem; min-height: 2.5rem; margin-bottom: .125rem; padding: 0 .75rem; border-radius: var(--round-s); color: #c9c3ea; font-weight: 500; text-decoration: none; white-space: nowrap; }
.side li a:is(:hover, [aria-current]) { background: #ffffff1f; color: #fff; } .side [aria-current] .icon { color: var(--bolt); }
.side b { min-width: 1.25rem; margin-left: auto; padding: 0 .375rem; border-radius: 1rem; background: var(--bolt); color: #130f2e; font-size: .75rem; line-height: 1.125rem; text-align: center; }
.top { grid-area: 2 / 2; position: sticky; z-index: 4; top: var(--strip); gap: .75rem; height: 3.5rem; border-bottom: var(--rule); background: var(--ground); }
.top .brand { display: none; }
.search { position: relative; flex: 1; min-width: 0; max-width: 28rem; margin-right: auto; }
.search :is(.icon, kbd) { position: absolute; top: .5rem; left: .75rem; color: var(--soft); } .search kbd.mid { left: auto; right: .875rem; border: 0; background: none; }
.search input { padding: 0 2.25rem; border-radius: 2rem; text-overflow: ellipsis; }
.mode b { color: var(--good); }
.avatar { flex: none; justify-content: center; width: 2rem; min-height: 2rem; padding: 0; border-radius: 50%; }
main { grid-area: 3 / 2; padding-block: 1.25rem 3rem; }
.top, main { padding-inline: max(2rem, 50% - 40rem); }
.title { justify-content: space-between; min-height: 2.25rem; margin-bottom: 1rem; }
.card.title { align-items: start; padding: 1.25rem; } .card.title p + p { margin-top: .25rem; }
.dots { gap: .25rem 1rem; }
.back { margin: -.375rem 0 .5rem; } .back a { display: inline-flex; align-items: center; gap: .25rem; font-weight: 600; line-height: 1.5rem; text-decoration: none; }

main > p { margin-bottom: .75rem; }

/* Buttons */
.button, button { justify-content: center; min-height: 2.25rem; padding: 0 .875rem; border: var(--rule); border-radius: var(--round-s); background: var(--paper); color: var(--ink); font-weight: 600; text-decoration: none; }
:is(.button, button, .chips a):hover { border-color: var(--brand); } :is(.button, button).main, .avatar { border-color: #0000; background: var(--fill); color: #fff; }
:is(.button, button).main:hover { filter: brightness(1.2); }
.danger { color: var(--bad); }
:is(td, .alerts, .lines) :is(.button, button) { min-height: 1.75rem; padding: 0 .625rem; font-size: .8125rem; }
.bare { width: 1.75rem; padding: 0; border-color: #0000; background: none; color: var(--soft); }
.copy button { min-width: 1.5rem; min-height: 1.5rem; padding: 0 .25rem; border-color: #0000; background: none; color: var(--soft); }
.copy .icon { width: .875rem; height: .875rem; }
.copyable { position: relative; margin: .5rem 0; } .copyable pre { padding-right: 2.5rem; } .copyable .copy { position: absolute; top: .375rem; right: .375rem; }

/* Cards */
.card { margin-bottom: 1rem; padding: 1rem; border: var(--rule); border-radius: var(--round); background: var(--paper); box-shadow: 0 1px 2px #17132f0f, 0 4px 16px #17132f08; overflow: clip; }
.card > h2, .head { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem; min-height: 1.75rem; margin: -.375rem 0 .5rem; }
.head > :last-child:not(:first-child) { margin-left: auto; }
.card :is(h3, p, dl, .actions) + :is(h3, p, dl, .actions, .list, .copyable, details) { margin-top: .5rem; }
.columns { display: grid; grid-template-columns: minmax(0, 1fr) 22rem; gap: 1rem; align-items: start; }
.pair { justify-content: space-between; }
.notice { display: flex; flex-wrap: wrap; gap: .625rem; margin-bottom: 1rem; padding: .75rem 1rem; border-radius: var(--round-s); background: var(--tone-wash, var(--wait-wash)); } .notice:has(> .icon) { flex-wrap: nowrap; } .card > .notice:last-child { margin-bottom: 0; }
body > .notice { grid-column: 2; margin: .75rem 2rem 0; }
.empty { padding: 1.25rem 1rem; text-align: center; }
.note { white-space: pre-line; }
dl > div { display: flex; justify-content: space-between; gap: 1rem; padding: .25rem 0; }
dt { flex: none; max-width: 45%; }
dd { text-align: right; font-variant-numeric: tabular-nums; }
.lines { margin: 0 -1rem -1rem; } .lines > * { justify-content: space-between; min-height: 2.5rem; padding: .25rem 1rem; border-top: var(--rule); }
details { margin: .25rem 0; }

/* Tabs and chips */
.tabs { gap: 1.5rem; margin-bottom: 1rem; border-bottom: var(--rule); }
.tabs a { display: inline-flex; align-items: center; min-height: 2.5rem; border-bottom: 2px solid #0000; color: var(--soft); font-weight: 600; text-decoration: none; white-space: nowrap; }
.tabs [aria-current] { border-color: var(--brand); color: var(--ink); }
.chips { margin-bottom: .75rem; }
.chips a { display: inline-flex; align-items: center; gap: .375rem; min-height: 1.875rem; padding: 0 .75rem; border: var(--rule); border-radius: 2rem; background: var(--paper); color: var(--ink); font-size: .8125rem; text-decoration: none; white-space: nowrap; }
.chips [aria-current], .chips [aria-current] span { border-color: var(--ink); background: var(--ink); color: var(--paper); font-weight: 600; }
.filters { display: flex; flex-wrap: wrap; align-items: end; gap: .75rem; } .filters .field { flex: 1 1 9rem; max-width: 18rem; margin: 0; }
.filters .field:has(button) { flex: none; }

/* Tables */
.scroll { overflow-x: auto; }
:is(.card, .choose) > .scroll { margin: 0 -1rem; } .card > :is(.scroll, .choose):first-child { margin-top: -1rem; } .card > :is(.scroll, .choose):last-child { margin-bottom: -1rem; }
table { width: 100%; border-collapse: collapse; overflow-wrap: normal; }
th, td { height: 2.5rem; padding: .25rem .625rem; text-align: left; font-weight: 400; } :is(th, td):first-child { padding-left: 1rem; }
:is(th, td):last-child { padding-right: 1rem; }
thead th, .group th { height: 2.25rem; font-size: .75rem; font-weight: 600; white-space: nowrap; }
tbody tr, .sum, .alerts li { border-top: var(--rule); }
:is(.scroll, .choose):first-child tr:first-child { border-top: 0; }
tbody tr { position: relative; } tbody tr:is(:hover, :focus-within, :target) { background: var(--ground); }
tr.changed { animation: changed 2s; }
@keyframes changed { from { background: var(--wash); } }
@media (prefers-reduced-motion: reduce) { tr.changed { animation: none; } }
.group th { background: var(--ground); }
.number, .act { text-align: right; white-space: nowrap; }
.list :is(td, th) { white-space: nowrap; } .list .what { width: 99%; max-width: 0; } .list .notice { margin: .25rem 0; padding: .25rem .75rem; white-space: normal; }
.act .button { margin-left: .25rem; }
.list :is(.what, .who) { overflow: hidden; text-overflow: ellipsis; } .list .whole { white-space: normal; overflow-wrap: anywhere; }
.open { margin-right: .375rem; color: inherit; font-weight: 600; text-decoration: none; } .open::after { content: ''; position: absolute; inset: 0; }
.open:focus-visible { outline: 0; } .open:focus-visible::after { outline: 2px solid var(--brand); outline-offset: -2px; }
.act > *, .pick > * { position: relative; z-index: 1; vertical-align: middle; } .act > .menu { position: fixed; z-index: auto; text-align: left; }
.pick { width: 2.75rem; } :is(td, th).pick:first-child { padding: 0 0 0 .25rem; } .pick label { display: grid; place-items: center; width: 2.5rem; height: 2.25rem; }
.choose { counter-reset: chosen; } tr :checked[name] { counter-increment: chosen; } tbody tr:has(.pick :checked) { background: var(--wash); }
.bulk { position: sticky; z-index: 3; bottom: 1rem; display: flex; flex-wrap: wrap; align-items: center; gap: .5rem; width: max-content; max-width: 100%; margin: .75rem auto; padding: .5rem .5rem .5rem 1rem; border-radius: var(--round); background: var(--night); box-shadow: var(--float); color: #fff; }
.choose:not(:has(td :checked[name])) .bulk { display: none; } .bulk b::before { content: counter(chosen) ' '; }
.bulk button { min-height: 1.75rem; padding: 0 .625rem; border-color: #ffffff4d; background: none; color: #fff; font-size: .8125rem; } .bulk .main { background: var(--bolt); color: #130f2e; }
.bulk :focus-visible { outline-color: var(--bolt); }
.list td a:not(.open) { position: relative; z-index: 1; }
.tile { display: inline-grid; place-items: center; width: 1.5rem; height: 1.5rem; margin-right: .5rem; border-radius: .375rem; background: #5b3fd6 linear-gradient(45deg, #0005, #fff2); color: #fff; font-size: .625rem; font-weight: 700; vertical-align: 1px; }
.tile-1 { background-color: #b0186f; }
.tile-2 { background-color: #0d756b; }
.tile-3 { background-color: #a8480a; }
td time, td code, a > code { white-space: nowrap; } td .actions { flex-wrap: nowrap; }

/* Menus and dialogs */
.menu { inset: auto; position-area: block-end span-inline-start; position-try-fallbacks: flip-block; min-width: 13rem; margin: .25rem 0; padding: .375rem; border: 0; border-radius: var(--round); background: var(--paper); box-shadow: var(--float); color: var(--ink); }
.menu :is(a, button, .button) { display: flex; justify-content: start; width: 100%; min-height: 2.25rem; padding: 0 .625rem; border: 0; border-radius: var(--round-s); background: none; color: inherit; font-size: .875rem; font-weight: 500; text-decoration: none; }
.menu :is(a, button, .button):hover { background: var(--ground); } .menu .icon { color: var(--soft); } .menu > form { display: grid; gap: .75rem; padding: .5rem; }
.menu .field { margin: 0; } .menu form .main { justify-content: center; background: var(--fill); color: #fff; font-weight: 600; } .menu > p { padding: .375rem .625rem; }
dialog { inset: 0; width: min(34rem, 100% - 2rem); max-height: calc(100dvh - 2rem); margin: auto; padding: 1.25rem; border: 0; border-radius: 1rem; background: var(--paper); color: var(--ink); box-shadow: var(--float); overflow: auto; }
dialog::backdrop { background: var(--veil); } dialog :is(h2, dl) { margin-bottom: .75rem; } dialog h2 { font-size: 1.25rem; line-height: 1.75rem; }
dialog .form { margin: 0; padding: 0; border: 0; box-shadow: none; overflow: visible; } dialog .form > .actions { position: sticky; bottom: -1.25rem; margin-bottom: -1.25rem; padding: .75rem 0 1.25rem; background: var(--paper); }

/* Forms */
main > .asks, main:has(> .asks) > :is(.title, .notice) { max-width: 36rem; margin-inline: auto; }
.form dl { margin: .75rem 0; padding: .5rem .75rem; border-radius: var(--round-s); background: var(--ground); } .form .lines { margin: .75rem 0; } .form .lines > * { padding: .375rem 0; }
.verb, .field:is(.of-amount, .of-delivered) { display: none; } .form:not(:has(fieldset :checked)) .verb:last-child, .form:has(label:nth-of-type(1) > :checked) .verb:nth-child(1), .form:has(label:nth-of-type(2) > :checked) .verb:nth-child(2), .form:has(label:nth-of-type(3) > :checked) .verb:nth-child(3) { display: inline; }
.form:has([value=amount]:checked) .field.of-amount, .form:has([value=delivered]:checked) .field.of-delivered { display: grid; }
.form { padding: 1.25rem; } .form > .actions { justify-content: end; flex-direction: row-reverse; margin-top: 1rem; }
.field { display: grid; gap: .25rem; margin: 0 0 1rem; }
legend { padding: 0 0 .25rem; }
fieldset { display: grid; margin-bottom: 1rem; }
fieldset label { display: flex; align-items: center; gap: .625rem; min-height: 2.5rem; padding: .25rem .75rem; border: var(--rule); margin-top: -1px; }
fieldset label:first-of-type { border-radius: var(--round-s) var(--round-s) 0 0; } fieldset label:last-child { border-radius: 0 0 var(--round-s) var(--round-s); }
fieldset label:has(:checked) { background: var(--wash); } fieldset label b { margin-left: auto; white-space: nowrap; }

/* Results of actions */
.timeline { padding: 0; } .timeline > li { position: relative; padding: 0 0 .875rem 1.5rem; }
.timeline > li::before { content: ''; position: absolute; left: .1875rem; top: .3125rem; width: .625rem; height: .625rem; border-radius: 50%; background: var(--tone); }
.timeline > li:not(:last-child)::after { content: ''; position: absolute; top: 1.25rem; bottom: -.125rem; left: .4375rem; width: 2px; background: var(--line); }
.figures { display: grid; grid-template-columns: repeat(4, minmax(0, 1fr)); gap: 1px; padding: 0; background: var(--line); }
.figures > div { display: block; padding: .875rem 1rem; background: var(--paper); } .figures :is(dt, dd) { max-width: none; text-align: left; }
.figure { font-size: clamp(1.25rem, 2.1vw, 1.75rem); font-weight: 700; line-height: 1.4; letter-spacing: -.02em; white-space: nowrap; }
.delta .icon { vertical-align: -.1875rem; }
.alerts { margin: 0 -1rem -1rem; }
.alerts li { position: relative; display: grid; grid-template-columns: auto 10.5rem minmax(0, 1fr) auto 7rem; align-items: center; gap: 0 .75rem; min-height: 2.75rem; padding: .375rem 3rem .375rem 1rem; }
.alerts time { white-space: nowrap; } .alerts :where(b, .about > :first-child) { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; } .alerts .about { display: flex; gap: .25rem; white-space: nowrap; } .alerts .button { justify-self: end; }
.alerts details { grid-column: 2 / -1; margin: 0; } .alerts details[open] { padding: .5rem 0; }
.alerts summary { position: absolute; top: .375rem; right: .75rem; display: grid; place-items: center; width: 2rem; height: 2rem; } .alerts summary .icon { color: var(--soft); }
.steps { margin: 0 -1rem -1rem; } .steps li { display: grid; grid-template-columns: 1.75rem minmax(0, 1fr) auto; gap: 0 .75rem; align-items: start; padding: .75rem 1rem; border-top: var(--rule); }
.steps .step-number { display: grid; place-items: center; width: 1.75rem; height: 1.75rem; border: var(--rule); border-radius: 50%; font-weight: 600; } .steps .done .step-number { border: 0; background: var(--good-wash); color: var(--good); } .steps .next .step-number { border: 0; background: var(--fill); color: #fff; }
.steps .copyable { margin-top: .375rem; }
.chart { display: block; width: calc(100% - 3.25rem); height: 15.5rem; margin-left: 3.25rem; overflow: visible; fill: var(--bar); font-size: .6875rem; }
.chart text { fill: var(--soft); text-anchor: middle; } .chart .y { text-anchor: end; } .chart line { stroke: var(--line); } .chart .now { fill-opacity: .4; stroke: var(--bar); }
.chart polyline { fill: none; stroke: var(--edge); stroke-width: 2; vector-effect: non-scaling-stroke; pointer-events: none; }
.chart .halo { stroke: var(--paper); stroke-width: 4; } .chart .hit { opacity: 0; } .chart g:hover .hit { opacity: .1; } .chart .value { fill: var(--ink); font-weight: 600; }
.legend span::before { content: ''; width: .625rem; height: .625rem; border-radius: 2px; display: inline-block; margin-right: .375rem; background: var(--bar); }
.legend .dash::before { height: 2px; margin-bottom: .1875rem; background: var(--edge); }
.head .chips { margin-bottom: 0; }
.sum { gap: .25rem 1.25rem; margin: .75rem -1rem 0; padding: .75rem 1rem 0; } .sum b { color: var(--ink); }
.balance + .balance { margin-top: .75rem; padding-top: .75rem; border-top: var(--rule); }
.meter { display: block; width: 100%; height: .5rem; margin: .375rem 0; fill: var(--line); } .meter .part { fill: var(--tone); } .meter .mark { fill: var(--ink); }

/* Without a frame */
.plain { display: grid; grid-template: 1fr / 1fr; background: radial-gradient(50rem 30rem at 90% 10%, #7c3aed8c, #0000), radial-gradient(40rem 26rem at 0 90%, #be185d59, #0000), #130f2e; color: #fff; }
.panel { grid-area: auto; display: grid; gap: 1rem; place-content: center; justify-items: center; padding: 1rem; }
.panel > .card { width: min(24rem, 100vw - 2rem); color: var(--ink); } .panel h1 { font-size: 1.25rem; } .panel .card > * + * { margin-top: .75rem; }
.panel .main { width: 100%; min-height: 2.75rem; }

@media (min-width: 48rem) { .phone { display: none !important; } }
@media (max-width: 87.99rem) {
.alerts li { grid-template-columns: auto minmax(min-content, auto) 1fr auto; } .alerts .about { grid-area: 2 / 2 / 3 / 4; flex-wrap: wrap; } .alerts .icon { grid-row: 1 / 3; }
.alerts .button { grid-area: 1 / 4 / 3 / 5; } .alerts details { grid-row: 3; }
}
@media (max-width: 74.99rem) {
body { grid-template-columns: 4.75rem minmax(0, 1fr); }
.wide { display: none !important; }
.top, main { padding-inline: 1rem; }
body > .notice { margin-inline: 1rem; }
th, td { padding-inline: .375rem; }
.columns { grid-template-columns: minmax(0, 1fr); gap: 0; }
.aside { columns: 18rem; column-gap: 1rem; } .aside .card { break-inside: avoid; }
.side { padding: .75rem .25rem; } .side .brand { justify-content: center; width: 100%; padding: .25rem 0 1rem; font-size: 0; }
.side li a { flex-direction: column; justify-content: center; gap: .125rem; min-height: 3.25rem; padding: 0; font-size: .6875rem; line-height: 1rem; }
.side b { position: absolute; top: .125rem; left: calc(50% + .25rem); padding: 0 .25rem; }
}
@media (max-width: 59.99rem) {
.list .mid { display: none; }
.list, .list :is(table, tbody, .group, .group th) { display: block; } .list thead { display: none; }
.list .row { display: grid; grid-template: "what what total total act" auto "status who who when act" auto / auto minmax(0, 1fr) auto auto auto; align-items: center; row-gap: .125rem; padding: .625rem 1rem; }
.list td { height: auto; padding: 0; } .list .group th { height: auto; padding: .5rem 1rem; } .list .row:has(.tile) { padding-left: 3.875rem; }
.list .tile { position: absolute; top: .75rem; left: 1rem; width: 2.25rem; height: 2.25rem; font-size: .75rem; } .list .what { grid-area: what; width: auto; max-width: none; }
.list .total { grid-area: total; } .list .status { grid-area: status; overflow: hidden; } .list .who { grid-area: who; } .list .when { grid-area: when; text-align: right; }
.list .row:not(:has(.status)) .who { margin-left: 0; } .list :is(.who, .when) { color: var(--soft); } .list .act { grid-area: act; } .list :is(.total, .who, .when, .act) { margin-left: .5rem; }
.list .pick { position: absolute; z-index: 2; top: .75rem; left: .75rem; width: auto; }
.list .act:empty { display: none; } .list .number:not(.total)::before { content: attr(data-title) ' '; }
}
@media (min-width: 48rem) and (max-width: 59.99rem) { .list .row:has(.pick) { padding-left: 3.875rem; } .list .row:has(.pick):has(.tile) { padding-left: 6rem; } .list .row:has(.pick) .tile { left: 3.25rem; } }
@media (max-width: 47.99rem) {
body { grid-template-columns: minmax(0, 1fr); padding-bottom: calc(3.75rem + env(safe-area-inset-bottom)); }
.plain { padding: 0; }
.mid, .side .brand, .side .of-strip { display: none !important; }
.side { position: fixed; inset: auto 0 0; height: auto; padding: .125rem 0 env(safe-area-inset-bottom); background: var(--night); } .side ul { display: flex; }
.side li { flex: 1; min-width: 0; }
.top { grid-area: 2 / 1; border: 0; background: var(--night); color: #fff; } .top .brand { display: inline-flex; } .top .mode b { color: #62d59c; }
.top > :focus-visible { outline-color: var(--bolt); }
.search input { padding-right: .5rem; color: var(--ink); }
input, select, textarea { font-size: 1rem; }
main { grid-area: 3 / 1; padding-block: .75rem 1.5rem; }
body > .notice { grid-column: 1; }
.button, button { min-height: 2.75rem; }
:is(td, .alerts) :is(.button, button), .title .button { min-height: 2.25rem; }
.alerts b { white-space: normal; overflow-wrap: normal; }
.chips, .tabs { flex-wrap: nowrap; overflow-x: auto; scrollbar-width: none; }
main > .chips { margin-inline: -1rem; padding-inline: 1rem; }
.chips a { min-height: 2.25rem; }
.menu, dialog { position-area: none; inset: auto 0 0; width: 100%; max-width: none; margin: 0; border-radius: 1rem 1rem 0 0; }
.menu { padding: .75rem .75rem calc(.75rem + env(safe-area-inset-bottom)); } .menu :is(a, button, .button) { min-height: 3rem; } .menu::backdrop { background: var(--veil); }
.list .act:has(> .button) { grid-area: 3 / 1 / 4 / -1; margin: .375rem 0 0; }
.list .row:has(.open) .act:not(:has(> .button)), main:not(:has(#choose:checked)) :is(.pick, .bulk) { display: none; }
main:has(#choose:checked) .list .row:has(.pick) { padding-left: 3.875rem; } main:has(#choose:checked) .pick ~ .what .tile { visibility: hidden; }
.bulk { bottom: calc(4.25rem + env(safe-area-inset-bottom)); }
.figures { grid-template-columns: repeat(2, minmax(0, 1fr)); } .figures > div { padding: .75rem; }
.legend { order: 1; width: 100%; margin: 0; }
.steps li > .button { grid-column: 2; justify-self: start; margin-top: .5rem; }
.stacks thead { display: none; } .stacks tr { display: flex; flex-wrap: wrap; justify-content: space-between; align-items: center; gap: .125rem .75rem; padding: .625rem 1rem; }
.stacks td { overflow-wrap: anywhere; height: auto; padding: 0; max-width: 100%; } .stacks td:empty { display: none; } .stacks :is(code, .together) { white-space: normal; }
.stacks .number::before { content: attr(data-title) ' '; color: var(--soft); font-size: .8125rem; }
}
`;
