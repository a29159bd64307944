import { createSignal } from '../signal.ts';

export const languages = ['id', 'en'] as const;
export type Language = (typeof languages)[number];

const storageKey = 'kilat:language';

const isLanguage = (text: string | null | undefined): text is Language =>
  languages.some((language) => language === text);

/** The language that the visitor chose here, else the first one of the browser's that the shop has, else Indonesian. */
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
