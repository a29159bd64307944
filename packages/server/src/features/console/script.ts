/**
 * Script of all pages of the console, a module that browsers run unchanged. It handles keys and copying, and keeps pages up to date. Every
 * page works without it. It updates the elements with `data-renew` and an id, and the rows of tables.
 */
export const consoleScript = `
document.documentElement.classList.add('scripted');
const { body } = document;
const search = document.querySelector('.search input');
const help = document.getElementById('help');
const offline = document.getElementById('offline');
document.getElementById('open-help').addEventListener('click', () => { document.getElementById('account').hidePopover(); help.showModal(); });

// The server's clock. In a sandbox, this is the world's clock.
const clock = document.getElementById('clock');
const ahead = clock.dataset.now - Date.now();
setInterval(() => {
  clock.textContent = new Date(Date.now() + ahead).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit', timeZone: clock.dataset.zone });
}, 5000);

// The result of an action is shown only once, even if the page is reloaded.
const here = location.href;
const address = new URL(here);
if (address.searchParams.has('done')) {
  address.searchParams.delete('done');
  address.searchParams.delete('of');
  history.replaceState(null, '', address);
}

// Keys.
const steps = () => [...document.querySelectorAll('main .row .step')];
function step(by) {
  const all = steps();
  const at = all.findIndex((link) => link.closest('.row').contains(document.activeElement));
  all.at(Math.min(Math.max(at + by, 0), all.length - 1))?.focus();
}
let before = '';
addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]')) return;
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
  else { if (event.key.length === 1) before = event.key; return; }
  before = '';
  event.preventDefault();
});

const icon = (shapes) => '<svg class="icon" viewBox="0 0 24 24" aria-hidden="true">' + shapes + '</svg>';
const [copyIcon, copiedIcon] = [icon('<rect x="9" y="9" width="12" height="12" rx="2"/><path d="M5 15V5a2 2 0 0 1 2-2h8"/>'), icon('<path d="m4 12 6 6L20 6"/>')];

// Copying. Without a clipboard, as on plain http, there is no button.
function addCopyButtons() {
  for (const place of navigator.clipboard ? document.querySelectorAll('.copy:empty') : []) {
    const button = document.createElement('button');
    button.type = 'button';
    button.innerHTML = copyIcon;
    button.title = place.dataset.name;
    button.setAttribute('aria-label', place.dataset.name);
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(document.getElementById(place.dataset.target).textContent);
      button.innerHTML = copiedIcon;
      setTimeout(() => { button.innerHTML = copyIcon; }, 2000);
    });
    place.append(button);
  }
}

const seenAt = new Date();
let state = 'well';
function show(now) {
  state = now;
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

const renewable = () => document.querySelectorAll('[data-renew][id], main tr.row[id]');
// The HTML of each element as the server sent it, without later additions or opened details.
const sent = new WeakMap();
function remember() {
  for (const part of renewable()) if (!sent.has(part)) sent.set(part, part.innerHTML);
}

function replaced(old, fresh) {
  if (!fresh || sent.get(old) === fresh.innerHTML || old.querySelector(':popover-open') || old.contains(document.activeElement) && old.querySelector('input:focus, textarea:focus, select:focus')) return;
  const open = [...old.querySelectorAll('details[open][id]')].map(({ id }) => id);
  const chosen = new Set([...old.querySelectorAll('.pick :checked')].map(({ value }) => value));
  const focused = old.contains(document.activeElement) ? document.activeElement.getAttribute('href') : null;
  old.innerHTML = fresh.innerHTML;
  sent.set(old, fresh.innerHTML);
  for (const id of open) document.getElementById(id)?.setAttribute('open', '');
  for (const box of old.querySelectorAll('.pick input')) box.checked = chosen.has(box.value);
  if (focused !== null) old.querySelector('[href="' + CSS.escape(focused) + '"]')?.focus();
  if (old.matches('tr')) { old.className = fresh.className + ' changed'; setTimeout(() => old.classList.remove('changed'), 2000); }
}

remember();
addCopyButtons();

let renewedAt = Date.now();
let outdated = false;
async function renew() {
  renewedAt = Date.now();
  outdated = false;
  const response = await ask(here);
  if (!response) return;
  const page = new DOMParser().parseFromString(await response.text(), 'text/html');
  for (const old of renewable()) if (old.isConnected) replaced(old, page.getElementById(old.id));
  remember();
  addCopyButtons();
  body.dataset.every = page.body.dataset.every;
}

const more = document.getElementById('more');
let placed = 0;
async function follow() {
  if (document.hidden) return;
  const response = await ask(body.dataset.live + '?after=' + body.dataset.position);
  if (!response) return;
  const { position, orders, storeFails } = await response.json();
  document.getElementById('store-fails').hidden = !storeFails;
  body.dataset.position = position;
  const wanted = body.dataset.orders;
  const shown = orders.filter(({ id }) => wanted === id || document.getElementById('order-' + id));
  placed += orders.filter((order) => order.placed && !document.getElementById('order-' + order.id)).length;
  if (more && placed > 0) { more.hidden = false; more.querySelector('span').textContent = placed; }
  // Changes shortly after an update of the page are shown a little later.
  outdated ||= wanted === 'all' && !more && orders.length > 0;
  if (shown.length > 0 || outdated && Date.now() - renewedAt > 5000 || Date.now() - renewedAt > body.dataset.every * 1000) await renew();
}
if (body.dataset.live) {
  // Without a session, requests are counted by address, and open tabs must not use up the requests that a login needs.
  const loop = () => setTimeout(() => follow().catch(() => show('offline')).finally(loop), state === 'ended' ? 30000 : 2000);
  loop();
}

// The form of an action is a page, which is shown in a dialog.
const dialog = document.getElementById('act');
async function openAction(url) {
  const text = await fetch(url, { cache: 'no-store' }).then((response) => response.text()).catch(() => '');
  const page = new DOMParser().parseFromString(text, 'text/html');
  const content = page.querySelector('.asks');
  if (!content) { location.assign(url); return; }
  const title = document.createElement('h2');
  title.id = 'act-title';
  title.textContent = page.querySelector('h1').textContent.split(' · ')[0];
  dialog.replaceChildren(title, content);
  dialog.showModal();
}
document.addEventListener('click', (event) => {
  const link = event.target.closest('a[data-act], #act .back-out');
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  link.closest('[popover]')?.hidePopover();
  if (link.matches('.back-out')) dialog.close();
  else openAction(link.href);
});
document.addEventListener('change', ({ target }) => {
  if (target.matches('.pick-all')) for (const box of target.form.querySelectorAll('.pick input')) box.checked = target.checked;
});

// A form is sent only while its server responds, so that no input is lost, and only once if its button is pressed again.
let sending = 'nothing';
addEventListener('pageshow', () => { sending = 'nothing'; });
document.addEventListener('submit', async (event) => {
  const { target: form, submitter } = event;
  if (form.matches('.choose')) {
    event.preventDefault();
    openAction(submitter.formAction + '?' + new URLSearchParams(new FormData(form)));
    return;
  }
  if (!form.dataset.check) return;
  if (sending === 'checked') { sending = 'sent'; return; }
  event.preventDefault();
  if (sending !== 'nothing') return;
  sending = 'asked';
  sending = await ask(form.dataset.check) ? 'checked' : 'nothing';
  if (sending === 'checked') form.requestSubmit(submitter);
});
`;
