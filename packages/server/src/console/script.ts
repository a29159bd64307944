/**
 * The script of all pages of the console, a module that browsers run unchanged: keys, copying, and what keeps a page up to date. Every page works
 * without it. What changes by itself are the elements with `data-renew` and an id, and the rows of tables.
 */
export const consoleScript = `
document.documentElement.classList.add('scripted');
const { body } = document;
const search = document.querySelector('header input[type=search]');
const help = document.getElementById('help');
const offline = document.getElementById('offline');
document.getElementById('open-help').addEventListener('click', () => help.showModal());

// Keys.
const steps = () => [...document.querySelectorAll('main .row .step')];
function step(by) {
  const all = steps();
  const at = all.findIndex((link) => link.closest('.row').contains(document.activeElement));
  all.at(Math.min(Math.max(at + by, 0), all.length - 1))?.focus();
}
let before = '';
addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || help.open) return;
  if (event.target.closest('input, textarea, select, [contenteditable]')) {
    if (event.key === 'Escape') event.target.blur();
    return;
  }
  const section = before === 'g' && document.querySelector('nav a[data-key="' + CSS.escape(event.key) + '"]');
  if (section) section.click();
  else if (event.key === '/') search.select(), search.focus();
  else if (event.key === 'j') step(1);
  else if (event.key === 'k') step(-1);
  else if (event.key === '?') help.showModal();
  else { before = event.key; return; }
  before = '';
  event.preventDefault();
});

// Copying. Without a clipboard, as on plain http, there is no button.
function addCopyButtons() {
  for (const place of navigator.clipboard ? document.querySelectorAll('.copy:empty') : []) {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = '⧉';
    button.title = place.dataset.name;
    button.setAttribute('aria-label', place.dataset.name);
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(document.getElementById(place.dataset.target).textContent);
      button.textContent = '✓';
      setTimeout(() => { button.textContent = '⧉'; }, 2000);
    });
    place.append(button);
  }
}
addCopyButtons();

// Keeping up to date.
const seenAt = new Date();
function show(state) {
  offline.hidden = state === 'well';
  if (state === 'offline') offline.textContent = offline.dataset.offline + ' ' + seenAt.toLocaleTimeString(document.documentElement.lang) + '.';
  if (state === 'ended') offline.textContent = offline.dataset.ended;
}

async function ask(url) {
  try {
    const response = await fetch(url, { cache: 'no-store', redirect: 'manual', signal: AbortSignal.timeout(10000) });
    if (response.ok) { show('well'); seenAt.setTime(Date.now()); return response; }
    show(response.status === 401 ? 'ended' : 'offline');
  } catch { show('offline'); }
}

function replaced(old, fresh) {
  if (!fresh || old.innerHTML === fresh.innerHTML || old.contains(document.activeElement) && old.querySelector('input:focus, textarea:focus, select:focus')) return;
  const open = [...old.querySelectorAll('details[open][id]')].map(({ id }) => id);
  const focused = old.contains(document.activeElement) ? document.activeElement.getAttribute('href') : null;
  old.innerHTML = fresh.innerHTML;
  for (const id of open) document.getElementById(id)?.setAttribute('open', '');
  if (focused !== null) old.querySelector('[href="' + CSS.escape(focused) + '"]')?.focus();
  if (old.matches('tr')) { old.className = fresh.className + ' changed'; setTimeout(() => old.classList.remove('changed'), 2000); }
}

let renewedAt = Date.now();
async function renew() {
  renewedAt = Date.now();
  const response = await ask(location.href);
  if (!response) return;
  const page = new DOMParser().parseFromString(await response.text(), 'text/html');
  for (const old of document.querySelectorAll('[data-renew][id], main tr.row[id]')) replaced(old, page.getElementById(old.id));
  addCopyButtons();
}

const more = document.getElementById('more');
let placed = 0;
async function follow() {
  if (document.hidden) return;
  const response = await ask(body.dataset.live + '?after=' + body.dataset.position);
  if (!response) return;
  const { position, orders } = await response.json();
  body.dataset.position = position;
  const wanted = body.dataset.orders;
  const every = Number(body.dataset.every ?? 30) * 1000;
  const shown = orders.filter(({ id }) => wanted === id || document.getElementById('order-' + id));
  placed += orders.filter((order) => order.placed && !document.getElementById('order-' + order.id)).length;
  if (more && placed > 0) { more.hidden = false; more.querySelector('span').textContent = placed; }
  const anyCounts = wanted === 'all' && !more && orders.length > 0 && Date.now() - renewedAt > 5000;
  if (shown.length > 0 || anyCounts || Date.now() - renewedAt > every) await renew();
}
if (body.dataset.live) {
  const loop = () => setTimeout(() => follow().catch(() => show('offline')).finally(loop), 2000);
  loop();
}

// A form is sent only while its server is there, so that nothing that was typed is lost.
for (const form of document.querySelectorAll('main form[method=post]'))
  form.addEventListener('submit', async (event) => {
    if (form.dataset.sure) return;
    event.preventDefault();
    const { submitter } = event;
    if (await ask(form.dataset.check)) { form.dataset.sure = 'yes'; form.requestSubmit(submitter); }
  });
`;
