/**
 * Script of the payment page: a module that browsers run unchanged. It polls the order's state and, if the state has changed, loads the
 * page again, so that all texts come from the server. Times are in milliseconds.
 */
export const paymentScript = `
const firstWait = 2000, maxWait = 15000, maxErrorWait = 60000, timeoutMs = 10000;
const main = document.querySelector('main');
const part = (name, root = document) => root.querySelector('[data-part="' + name + '"]');
let wait = firstWait, failures = 0, busy = false, pollTimer, tickTimer, endsAt;

document.documentElement.classList.add('scripted');

async function get(path) {
  const response = await fetch(path, { cache: 'no-store', signal: AbortSignal.timeout(timeoutMs) });
  if (!response.ok) throw new Error(path + ': status ' + response.status);
  return response;
}

function show(next) {
  const focused = document.activeElement;
  document.title = next.title;
  for (const name of ['status', 'reload', 'pay', 'serial', 'return', 'sandbox'])
    part(name).replaceChildren(...part(name, next).childNodes);
  if (focused !== document.body && !focused.isConnected) part('status').focus();
}

async function refresh() {
  const response = await get(location.pathname);
  const next = new DOMParser().parseFromString(await response.text(), 'text/html');
  const { state, ...rest } = next.querySelector('main').dataset;
  const changed = state !== main.dataset.state;
  Object.assign(main.dataset, rest, { state });
  if (changed) show(next);
  startCountdown();
}

async function poll(work) {
  if (busy) return;
  busy = true;
  clearTimeout(pollTimer);
  try {
    await work();
    failures = 0;
  } catch {
    failures += 1;
    wait = Math.min(wait * 2, maxErrorWait);
  }
  busy = false;
  const warning = part('connection-error');
  const text = failures > 1 ? warning.dataset.text : '';
  if (warning.textContent !== text) warning.textContent = text;
  schedulePoll();
}

async function checkState() {
  const { data } = await (await get(main.dataset.statusPath)).json();
  if (data.payment_status + ' ' + data.buy_status === main.dataset.state) {
    wait = Math.min(wait * 1.2, maxWait);
    return;
  }
  await refresh();
  wait = firstWait;
}

function schedulePoll() {
  clearTimeout(pollTimer);
  if (document.hidden || main.dataset.watch !== 'always') return;
  pollTimer = setTimeout(poll, wait * (0.9 + Math.random() * 0.2), checkState);
}

function startCountdown() {
  endsAt = Date.now() + Number(main.dataset.left);
  tick();
}

function tick() {
  clearTimeout(tickTimer);
  const countdown = part('countdown');
  if (!countdown || document.hidden) return;
  const left = Math.max(0, endsAt - Date.now());
  const seconds = Math.ceil(left / 1000);
  const pair = (number) => String(Math.floor(number)).padStart(2, '0');
  const hours = seconds >= 3600 ? pair(seconds / 3600) + ':' : '';
  countdown.textContent = hours + pair((seconds / 60) % 60) + ':' + pair(seconds % 60);
  countdown.classList.toggle('soon', seconds < 300);
  if (left > 0) {
    tickTimer = setTimeout(tick, left % 1000 || 1000);
    return;
  }
  wait = firstWait;
  poll(checkState);
}

function resume() {
  if (document.hidden || main.dataset.watch === 'never') return;
  wait = firstWait;
  tick();
  poll(refresh);
}

function select(element) {
  getSelection().selectAllChildren(element);
  return document.execCommand('copy');
}

async function copy(button) {
  const { copied, selected } = button.dataset;
  const note = button.parentElement.querySelector('[role="status"]');
  note.textContent = '';
  // Browsers have no clipboard API without a secure connection.
  const done = await navigator.clipboard?.writeText(button.dataset.copy).then(() => true, () => false);
  note.textContent = done || select(button.closest('section').querySelector('.code')) ? copied : selected;
  setTimeout(() => { note.textContent = ''; }, 5000);
}

document.addEventListener('click', ({ target }) => {
  const button = target.closest('[data-copy]');
  if (button) copy(button);
});
document.addEventListener('visibilitychange', () => {
  if (!document.hidden) return resume();
  clearTimeout(pollTimer);
  clearTimeout(tickTimer);
});
addEventListener('pageshow', ({ persisted }) => { if (persisted) resume(); });
addEventListener('online', resume);

startCountdown();
schedulePoll();
`;
