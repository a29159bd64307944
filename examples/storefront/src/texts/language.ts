import { createSignal } from '../signal.ts';

export const languages = ['id', 'en'] as const;
export type Language = (typeof languages)[number];

const storageKey = 'kilat:language';

const isLanguage = (text: string | null | undefined): text is Language =>
  languages.some((language) => language === text);

/** Returns the language that the visitor chose here, or the first of the browser's languages that the shop has, or Indonesian. */
function firstLanguage(): Language {
  const chosen = localStorage.getItem(storageKey);
  if (isLanguage(chosen)) return chosen;
  return navigator.languages.map((tag) => tag.split('-')[0]).find(isLanguage) ?? 'id';
}

const language = createSignal<Language>(firstLanguage());

export const currentLanguage = language.get;
export const useLanguage = language.use;

export function setLanguage(next: Language): void {
  localStorage.setItem(storageKey, next);
  language.set(next);
}
