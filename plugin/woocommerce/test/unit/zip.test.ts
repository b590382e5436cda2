import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { unzipSync } from "fflate";
import { describe, expect, it } from "vitest";
import { bundle, bundleNames } from "../../build/bundles.mjs";
import { currencyDigits } from "../../build/currencies.mjs";
import { directoryFiles } from "../../build/directory.mjs";
import { languageFiles, locales, readTranslation, templateOf } from "../../build/languages.mjs";
import { collectTexts, countCalls } from "../../build/texts.mjs";
import { pluginFiles, zipOf } from "../../build/zip.mjs";

const room = path.join(import.meta.dirname, "../..");

describe("the zip", () => {
  it("has the same bytes whenever it is built", async () => {
    const first = zipOf(await pluginFiles(room, currencyDigits()));
    const second = zipOf(await pluginFiles(room, currencyDigits()));
    expect(Buffer.from(first).equals(Buffer.from(second))).toBe(true);
  });

  it("holds one folder with all that WordPress looks for, and the very rules of the connector", async () => {
    const entries = unzipSync(zipOf(await pluginFiles(room, currencyDigits())));
    const folder = "tillgate-for-woocommerce/";
    expect(Object.keys(entries).every((name) => name.startsWith(folder))).toBe(true);
    for (const name of [
      "tillgate-for-woocommerce.php",
      "readme.txt",
      "uninstall.php",
      "license.txt",
      "source/blocks.ts",
      "source/qr-svg.ts",
      "assets/blocks.asset.php",
      "languages/tillgate-for-woocommerce.pot",
      ...locales.map((locale) => `languages/tillgate-for-woocommerce-${locale}.l10n.php`),
    ]) {
      expect(entries[folder + name]?.length, name).toBeGreaterThan(0);
    }
    const rules = readFileSync(path.join(room, "../rules/transitions.json"));
    expect(Buffer.from(entries[`${folder}rules/transitions.json`] ?? []).equals(rules)).toBe(true);
  });

  it("carries the headers that WordPress and WooCommerce read, with one version everywhere", () => {
    const main = readFileSync(path.join(room, "src/tillgate-for-woocommerce.php"), "utf8");
    for (const header of [
      "Requires Plugins: woocommerce",
      "Requires at least: ",
      "Requires PHP: 7.4",
      "WC requires at least: ",
      "WC tested up to: ",
      "License: GPL-2.0-or-later",
      "Text Domain: tillgate-for-woocommerce",
    ]) {
      expect(main).toContain(` * ${header}`);
    }
    const version = / \* Version: (\S+)/.exec(main)?.[1] ?? "";
    expect(main).toContain(`define('TILLGATE_WOOCOMMERCE_VERSION', '${version}')`);
    expect(readFileSync(path.join(room, "src/readme.txt"), "utf8")).toContain(`Stable tag: ${version}`);
  });
});

describe("the directory", () => {
  it("has a screenshot for each entry in the readme, and an icon", () => {
    const [, list = ""] = readFileSync(path.join(room, "src/readme.txt"), "utf8").split("== Screenshots ==");
    const lines = [...list.matchAll(/^(\d+)\. /gm)].map(([, number]) => `screenshot-${number}.png`);
    expect(lines.length).toBeGreaterThan(3);
    const files = directoryFiles(room);
    expect([...files.keys()].sort()).toEqual(["icon.svg", ...lines].sort());
    for (const [name, content] of files)
      expect(content.subarray(0, 4).toString("latin1")).toBe(name.endsWith(".png") ? "\x89PNG" : "<svg");
  });
});

describe("the scripts", () => {
  it.each(bundleNames)("%s brings no React and nothing else that WordPress brings", async (name) => {
    const { script, asset, modules } = await bundle(room, name);
    expect(
      modules.filter((module) => /node_modules\/(react|scheduler|@wordpress|@woocommerce)/.test(module)),
    ).toEqual([]);
    expect(script).not.toMatch(/react\.(transitional\.)?element|__SECRET_INTERNALS|__CLIENT_INTERNALS/);
    expect(asset).toMatch(/^<\?php\n\nreturn \['dependencies' => \['/);
  });

  it("names what the block checkout needs of WordPress", async () => {
    const { asset } = await bundle(room, "blocks");
    expect(asset).toContain(
      "['wc-blocks-registry', 'wc-settings', 'wp-element', 'wp-html-entities', 'wp-i18n']",
    );
  });
});

describe("the texts", () => {
  it("are all in the template, whichever way they are written", () => {
    const { found, written } = countCalls(room);
    expect(found).toBe(written);
    const template = templateOf(room);
    for (const text of collectTexts(room).keys())
      expect(template).toContain(`msgid ${JSON.stringify(text)}\n`);
  });

  it("speak every language of the payment page, where shoppers go on to", () => {
    const ofPage = readdirSync(path.join(room, "../../apps/pay/src/texts"))
      .filter((name) => /^[a-z]{2}\.ts$/.test(name) && name !== "en.ts")
      .map((name) => path.parse(name).name);
    expect(locales.map((locale) => locale.slice(0, 2)).toSorted()).toEqual(ofPage.toSorted());
  });

  it.each(locales)("are all translated into %s, placeholders kept", (locale) => {
    const translated = readTranslation(room, locale);
    const placeholders = (text: string) => (text.match(/%(?:\d\$)?[sd]|\{\w+\}/g) ?? []).toSorted();
    for (const [text, other] of translated) expect(placeholders(other), text).toEqual(placeholders(text));
    const texts = [...collectTexts(room).keys()];
    expect(texts.length).toBeGreaterThan(180);
    expect(texts.filter((text) => !translated.has(text))).toEqual([]);
    expect([...translated.keys()].filter((text) => !texts.includes(text))).toEqual([]);
  });

  it.each(locales)("reach the scripts and the server in %s in the forms that WordPress reads", (locale) => {
    const files = languageFiles(room);
    const receipt: unknown = JSON.parse(
      files.get(`tillgate-for-woocommerce-${locale}-tillgate-receipt.json`) ?? "",
    );
    expect(receipt).toMatchObject({
      locale_data: { messages: { "Time left:": [expect.stringMatching(/\S/)] } },
    });
    expect(files.get(`tillgate-for-woocommerce-${locale}.l10n.php`)).toContain("'Scan to pay' => '");
  });
});
