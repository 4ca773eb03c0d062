/** Words and numbers in the language of the page. */

import { pageWords, words } from "./api.js";

export const LANGUAGES = { en: "English", es: "Español", ko: "한국어", de: "Deutsch" };

/** The first language of a list of the browser's that there is. */
export function chosen(wanted) {
  const codes = wanted.map((code) => code.toLowerCase().split("-")[0]);
  return codes.find((code) => code in LANGUAGES) ?? "en";
}

export class Words {
  constructor(code, own, common) {
    this.code = code;
    this.texts = { ...common.text, ...own };
    this.variants = new Map(common.variants.map((variant) => [variant.variant, variant]));
  }

  static async load(code) {
    return new Words(code, ...(await Promise.all([pageWords(code), words(code)])));
  }

  /** A text, with {names} filled in. */
  text(key, values = {}) {
    return (this.texts[key] ?? key).replace(/\{(\w+)\}/g, (all, name) => values[name] ?? all);
  }

  /** A text as a title: its first letter is a capital. */
  title(key, values) {
    const text = this.text(key, values);
    return text.charAt(0).toLocaleUpperCase(this.code) + text.slice(1);
  }

  number(value, digits = 0) {
    const format = { minimumFractionDigits: digits, maximumFractionDigits: digits };
    return new Intl.NumberFormat(this.code, format).format(value);
  }

  percent(value, digits = 1) {
    const format = { style: "percent", minimumFractionDigits: digits, maximumFractionDigits: digits };
    return new Intl.NumberFormat(this.code, format).format(value);
  }

  date(time) {
    return new Intl.DateTimeFormat(this.code, { dateStyle: "medium", timeStyle: "short" }).format(new Date(time));
  }

  list(names) {
    return new Intl.ListFormat(this.code).format(names);
  }

  /** What a box is called. */
  box(variant, key) {
    const [column, id] = key.includes(".") ? key.split(".") : ["", key];
    const label = variant.rules.categories.find((category) => category.id === id)?.label ?? id;
    return column ? `${label} (${this.column(variant.rules, Number(column) - 1)})` : label;
  }

  column(rules, column) {
    const { order, multiplier } = rules.columns[column];
    const same = rules.columns.filter((other) => other.order === order).length > 1;
    return [this.text(`column_${order}`), same ? column + 1 : "", multiplier > 1 ? `×${multiplier}` : ""]
      .filter(Boolean)
      .join(" ");
  }
}
