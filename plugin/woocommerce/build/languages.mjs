import { readFileSync } from "node:fs";
import path from "node:path";
import { collectTexts } from "./texts.mjs";

const domain = "tillgate-for-woocommerce";
/** Bundled translations; WordPress.org adds others. */
export const locales = ["de_DE", "fr_FR", "es_ES", "pt_PT", "ar"];
/** Sources whose texts each script needs, by script handle. */
const scripts = {
  "tillgate-blocks": ["client/blocks.ts"],
  "tillgate-receipt": ["client/receipt.ts"],
  "tillgate-settings": ["client/settings.ts"],
};

/** @param {string} packageFolder */
export function templateOf(packageFolder) {
  const head = [
    `# Copyright (C) Tillgate`,
    `# This file is distributed under the GPL-2.0-or-later.`,
    header(),
  ].join("\n");
  const entries = [...collectTexts(packageFolder)].map(([text, files]) =>
    [...files.map((file) => `#: ${file}`), entry(text, [""])].join("\n"),
  );
  return `${[head, ...entries].join("\n\n")}\n`;
}

/** @param {string[]} language lines for a translation; none for the template */
const header = (language = []) =>
  entry("", [
    "Project-Id-Version: Tillgate for WooCommerce 0.1.0\n",
    ...language,
    "MIME-Version: 1.0\n",
    "Content-Type: text/plain; charset=UTF-8\n",
    "Content-Transfer-Encoding: 8bit\n",
    `X-Domain: ${domain}\n`,
  ]);

const translationOf = (locale, translated) =>
  `${[
    header([`Language: ${locale}\n`]),
    ...[...translated].map(([text, translation]) => entry(text, [translation])),
  ].join("\n\n")}\n`;

const entry = (text, lines) =>
  `msgid ${JSON.stringify(text)}\nmsgstr ${lines.map((line) => JSON.stringify(line)).join("\n")}`.replace(
    /msgstr "(Project)/,
    'msgstr ""\n"$1',
  );

/** Returns the plugin's own translations, and those that it shares with the connector. @returns {Map<string, string>} translations by text */
export function readTranslation(packageFolder, locale) {
  const source = readFileSync(path.join(packageFolder, "languages", `${domain}-${locale}.po`), "utf8");
  const shared = JSON.parse(
    readFileSync(path.join(packageFolder, "../rules/languages", `${locale.slice(0, 2)}.json`), "utf8"),
  );
  const texts = collectTexts(packageFolder);
  const translated = new Map(Object.entries(shared).filter(([text]) => texts.has(text)));
  for (const block of source.split(/\n\s*\n/)) {
    const text = field(block, "msgid");
    const translation = field(block, "msgstr");
    if (text) {
      if (translation) translated.set(text, translation);
    }
  }
  return translated;
}

function field(block, name) {
  const found = new RegExp(`^${name} ((?:"(?:[^"\\\\]|\\\\.)*"\\s*)+)`, "m").exec(block);
  if (found === null) return undefined;
  return [...found[1].matchAll(/"(?:[^"\\]|\\.)*"/g)].map(([part]) => JSON.parse(part)).join("");
}

/** Renders the template and, for each locale, a .po file, a .l10n.php file and one JSON file per script. @returns {Map<string, string>} contents by file name */
export function languageFiles(packageFolder) {
  const files = new Map([[`${domain}.pot`, templateOf(packageFolder)]]);
  const texts = collectTexts(packageFolder);
  for (const locale of locales) {
    const translated = readTranslation(packageFolder, locale);
    const name = `${domain}-${locale}`;
    files.set(`${name}.po`, translationOf(locale, translated));
    const messages = [...translated].map(
      ([text, translation]) => `        ${php(text)} => ${php(translation)},`,
    );
    files.set(
      `${name}.l10n.php`,
      `<?php\n\nreturn [\n    'domain' => '${domain}',\n    'language' => '${locale}',\n    'messages' => [\n${messages.join("\n")}\n    ],\n];\n`,
    );
    for (const [handle, sources] of Object.entries(scripts)) {
      const messagesOfScript = [...translated].filter(([text]) =>
        texts.get(text)?.some((source) => sources.includes(source)),
      );
      files.set(`${name}-${handle}.json`, scriptTranslation(locale, messagesOfScript));
    }
  }
  return files;
}

const php = (text) => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;

function scriptTranslation(locale, messages) {
  const data = Object.fromEntries(messages.map(([text, translation]) => [text, [translation]]));
  return `${JSON.stringify({
    domain: "messages",
    locale_data: { messages: { "": { domain: "messages", lang: locale }, ...data } },
  })}\n`;
}
