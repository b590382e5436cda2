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

const packageFolder = path.join(import.meta.dirname, "../..");

describe("the zip", () => {
  it("is built reproducibly", async () => {
    const first = zipOf(await pluginFiles(packageFolder, currencyDigits()));
    const second = zipOf(await pluginFiles(packageFolder, currencyDigits()));
    expect(Buffer.from(first).equals(Buffer.from(second))).toBe(true);
  });

  it("contains one folder with the required files and the connector's rules", async () => {
    const entries = unzipSync(zipOf(await pluginFiles(packageFolder, currencyDigits())));
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
    for (const name of ["transitions.json", "comparison.json"]) {
      const rules = readFileSync(path.join(packageFolder, "../rules", name));
      expect(Buffer.from(entries[`${folder}rules/${name}`] ?? []).equals(rules), name).toBe(true);
    }
  });

  it("contains the required plugin headers and a consistent version", async () => {
    const files = await pluginFiles(packageFolder, currencyDigits());
    const main = String(files.get("tillgate-for-woocommerce.php"));
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
    expect(String(files.get("readme.txt"))).toContain(`Stable tag: ${version}`);
  });
});

describe("WordPress.org assets", () => {
  it("include an icon and a screenshot for each entry in the readme", () => {
    const [, list = ""] = readFileSync(path.join(packageFolder, "src/readme.txt"), "utf8").split(
      "== Screenshots ==",
    );
    const lines = [...list.matchAll(/^(\d+)\. /gm)].map(([, number]) => `screenshot-${number}.png`);
    expect(lines.length).toBeGreaterThan(3);
    const files = directoryFiles(packageFolder);
    expect([...files.keys()].sort()).toEqual(["icon.svg", ...lines].sort());
    for (const [name, content] of files)
      expect(content.subarray(0, 4).toString("latin1")).toBe(name.endsWith(".png") ? "\x89PNG" : "<svg");
  });
});

describe("the scripts", () => {
  it.each(bundleNames)("bundle no modules that WordPress provides: %s", async (name) => {
    const { script, asset, modules } = await bundle(packageFolder, name);
    expect(
      modules.filter((module) => /node_modules\/(react|scheduler|@wordpress|@woocommerce)/.test(module)),
    ).toEqual([]);
    expect(script).not.toMatch(/react\.(transitional\.)?element|__SECRET_INTERNALS|__CLIENT_INTERNALS/);
    expect(asset).toMatch(/^<\?php\n\nreturn \['dependencies' => \['/);
  });

  it("declare the dependencies of the block checkout", async () => {
    const { asset } = await bundle(packageFolder, "blocks");
    expect(asset).toContain(
      "['wc-blocks-registry', 'wc-settings', 'wp-element', 'wp-html-entities', 'wp-i18n']",
    );
  });
});

describe("the texts", () => {
  it("are all in the translation template", () => {
    const { found, written } = countCalls(packageFolder);
    expect(found).toBe(written);
    const template = templateOf(packageFolder);
    for (const text of collectTexts(packageFolder).keys())
      expect(template).toContain(`msgid ${JSON.stringify(text)}\n`);
  });

  it("are translated into the same languages as the payment page", () => {
    const pageLocales = readdirSync(path.join(packageFolder, "../../apps/pay/src/texts"))
      .filter((name) => /^[a-z]{2}\.ts$/.test(name) && name !== "en.ts")
      .map((name) => path.parse(name).name);
    expect(locales.map((locale) => locale.slice(0, 2)).toSorted()).toEqual(pageLocales.toSorted());
  });

  it.each(locales)("are all translated into %s with the same placeholders", (locale) => {
    const translated = readTranslation(packageFolder, locale);
    const placeholders = (text: string) => (text.match(/%(?:\d\$)?[sd]|\{\w+\}/g) ?? []).toSorted();
    for (const [text, other] of translated) expect(placeholders(other), text).toEqual(placeholders(text));
    const texts = [...collectTexts(packageFolder).keys()];
    expect(texts.length).toBeGreaterThan(180);
    expect(texts.filter((text) => !translated.has(text))).toEqual([]);
    expect([...translated.keys()].filter((text) => !texts.includes(text))).toEqual([]);
  });

  it.each(locales)("are exported in %s for the scripts and the server", (locale) => {
    const files = languageFiles(packageFolder);
    const receipt: unknown = JSON.parse(
      files.get(`tillgate-for-woocommerce-${locale}-tillgate-receipt.json`) ?? "",
    );
    expect(receipt).toMatchObject({
      locale_data: { messages: { "Time left:": [expect.stringMatching(/\S/)] } },
    });
    expect(files.get(`tillgate-for-woocommerce-${locale}.l10n.php`)).toContain("'Scan to pay' => '");
  });
});
