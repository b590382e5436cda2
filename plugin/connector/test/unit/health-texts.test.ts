import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { escapeHtml } from "@tillgate/service/web/escape-html";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { clockWarning } from "../../src/health/clocks.js";
import { chooseLanguage, fill, type Language, textsIn } from "../../src/health/texts.js";
import { healthPage } from "../../src/http/health-page.js";
import type { HealthView } from "../../src/payments/health-view.js";
import { loadRules, statusName } from "../../src/rules.js";
import { statuses } from "../../src/rules-file.js";

const sources = path.join(import.meta.dirname, "../../src");
const rules = path.join(import.meta.dirname, "../../../rules");
const translated = ["fr", "de", "es", "pt", "ar"] as const satisfies readonly Language[];
const catalogue = (language: string): Record<string, string> =>
  JSON.parse(readFileSync(path.join(rules, "languages", `${language}.json`), "utf8"));
const sourceOf = (folder: string, ending: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(ending))
    .map((name) => readFileSync(path.join(folder, name), "utf8"));
const english = Object.keys(catalogue("de"));
const orderRules = loadRules();
const { phrases } = z
  .object({ phrases: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readFileSync(path.join(rules, "transitions.json"), "utf8")));
const { differences } = z
  .object({ differences: z.record(z.string(), z.object({ text: z.string() })) })
  .parse(JSON.parse(readFileSync(path.join(rules, "comparison.json"), "utf8")));

/** Yields the texts in the sources that the page may show. */
function* shownTexts(): Generator<string> {
  const read = (file: string) => readFileSync(path.join(sources, file), "utf8");
  for (const source of sourceOf(sources, ".ts"))
    for (const [, text = ""] of source.matchAll(/\bfill\(\s*"((?:[^"\\]|\\.)+)"/g)) yield text;
  const page = read("http/health-page.ts");
  for (const [, text = ""] of page.matchAll(/\b(?:t|html|text)\(\s*"([^"]+)"/g)) yield text;
  for (const [, text = ""] of page.matchAll(/^ {2}["\w.]+: "([^"]+)",$/gm)) yield text;
  for (const file of ["health/likely-cause.ts", "health/clocks.ts", "connector-error.ts"])
    for (const [, text = ""] of read(file).matchAll(/"([A-Z][^"]+\.)"/g)) yield text;
  for (const [, text = ""] of read("payments/store-webhook.ts").matchAll(/"([A-Z][^"]+\.)"/g)) yield text;
  for (const source of sourceOf(sources, ".ts"))
    for (const [, text = ""] of source.matchAll(
      /"((?:checking|comparing|deleting|processing|reading|recording|repairing|starting) [^"]+)"/g,
    ))
      yield text;
}

describe("the translations of the health page", () => {
  it.each(translated)("have every text in %s, with the same placeholders", (language) => {
    const texts = catalogue(language);
    expect(Object.keys(texts)).toEqual(english);
    const placeholders = (text: string) => (text.match(/\{\w+\}/g) ?? []).toSorted();
    for (const [text, translation] of Object.entries(texts))
      expect(placeholders(translation), text).toEqual(placeholders(text));
    expect([...shownTexts()].filter((text) => texts[text] === undefined)).toEqual([]);
  });

  it("contain no unused text", () => {
    const ruleFiles = ["transitions.json", "comparison.json"].map((name) =>
      readFileSync(path.join(rules, name), "utf8"),
    );
    const used = [...sourceOf(sources, ".ts"), ...ruleFiles].join("\n");
    const quoted = (text: string) => JSON.stringify(text);
    expect(english.filter((text) => !used.includes(quoted(text)))).toEqual([]);
  });
});

describe("the Arabic instructions to refund", () => {
  it("cannot be read as reports of completed refunds", () => {
    const both = "رُدّ"; // cspell:disable-line
    expect(Object.values(catalogue("ar")).filter((text) => text.includes(both))).toEqual([]);
  });
});

describe("the statuses in texts", () => {
  const own = statuses.filter((status) => status !== "other").map(statusName);

  it.each(translated)("all have a name in %s", (language) => {
    const missing = [...own, "expired", "cancelled", "refunded", "unknown"].filter(
      (name) => catalogue(language)[name] === undefined,
    );
    expect(missing).toEqual([]);
  });

  // cspell:disable
  it.each([
    [
      "fr",
      "Le paiement POS-1 est annulé dans Tillgate, mais la boutique n’est pas à jour\u00a0: le statut de la commande est «\u00a0Annulée\u00a0».",
      "Tillgate\u00a0: le paiement POS-1 a été annulé. Motif\u00a0: le statut de la commande dans la boutique est passé à «\u00a0Corbeille\u00a0».",
    ],
    [
      "de",
      "Die Zahlung POS-1 ist in Tillgate abgebrochen, aber der Shop wurde nicht aktualisiert: Die Bestellung hat den Status „Storniert“.",
      "Tillgate: Die Zahlung POS-1 wurde abgebrochen, weil die Bestellung im Shop jetzt den Status „Papierkorb“ hat.",
    ],
    [
      "pt",
      "O pagamento POS-1 está cancelado na Tillgate, mas a loja não foi atualizada: o estado da encomenda é «Cancelada».",
      "Tillgate: o pagamento POS-1 foi cancelado porque o estado da encomenda na loja mudou para «Lixo».",
    ],
    [
      "ar",
      "حالة الدفعة POS-1 في Tillgate: ملغاة، لكن المتجر لم يُحدَّث: حالة الطلب «ملغى».",
      "Tillgate: أُلغيت الدفعة POS-1. السبب: تغيرت حالة الطلب في المتجر إلى «سلة المهملات».",
    ],
    // cspell:enable
  ] as const)(
    "agree grammatically with the order or the payment in %s",
    (language, notLearned, cancelled) => {
      const { stored } = textsIn(language);
      const status = statusName("cancelled");
      const difference = fill(differences.end_not_learned?.text ?? "", {
        tillgate_order: "POS-1",
        remote_status: "cancelled",
        status,
      });
      expect(stored(difference)).toBe(notLearned);
      const reason = orderRules.reason("order_closed", { status: statusName("trash") });
      expect(stored(orderRules.note("cancelled_by_connector", { tillgate_order: "POS-1", reason }))).toBe(
        cancelled,
      );
    },
  );
});

describe("a stored text", () => {
  const { stored } = textsIn("de");
  const german = catalogue("de");

  it("is translated, and so are values that are in the catalogue", () => {
    const maintenance =
      "The shop is in maintenance mode or overloaded (HTTP 503). The connector resumes when the shop is available again.";
    expect(stored(maintenance)).toBe(german[maintenance]);
    const starts = "{failed} of the last {count} payments couldn’t be started. {cause}";
    const values = { failed: 3, count: 10 };
    expect(stored(fill(starts, { ...values, cause: maintenance }))).toBe(
      fill(german[starts] ?? "", { ...values, cause: german[maintenance] ?? "" }),
    );
    const unpaid =
      "The order’s status in the shop is “{status}”, but its payment {tillgate_order} wasn’t completed in Tillgate.";
    expect(stored(fill(unpaid, { status: "Failed", tillgate_order: "POS-1" }))).toBe(
      fill(german[unpaid] ?? "", { status: german.Failed ?? "", tillgate_order: "POS-1" }),
    );
  });

  it.each(translated)("is translated into %s together with a phrase in it", (language) => {
    const texts = catalogue(language);
    const values = { tillgate_order: "POS-1", refund: "RF-1", amount: "5.00 EUR" };
    const { stored } = textsIn(language);
    const untranslated = Object.values(phrases).filter(
      (phrase) => stored(fill(phrase, values)) !== fill(texts[phrase] ?? "", values),
    );
    expect(untranslated).toEqual([]);
  });

  it("is unchanged if it isn't in the catalogue", () => {
    for (const text of ["The last page (2). Another plugin's text.", "One of them is off by 3.", ""])
      expect(stored(text)).toBe(text);
  });

  it.each([
    { store: 600 },
    { tillgate: -600 },
    { store: 600, tillgate: -600 },
    { store: 600, tillgate: 600 },
  ])("is translated completely if it is a warning about clocks: %j", (differences) => {
    const warning = stored(clockWarning(differences) ?? "");
    expect(warning).toContain("10");
    expect(warning).not.toMatch(/clock|Synchronize/);
  });
});

describe("the health page", () => {
  it.each([
    [undefined, "en"],
    ["de-AT,de;q=0.9,en;q=0.8", "de"],
    ["nl,pt-BR;q=0.7,fr;q=0.6", "pt"],
    ["nl", "en"],
  ])("with Accept-Language %s is in %s", (header, language) => {
    expect(chooseLanguage(header)).toBe(language);
  });

  it.each(translated)("is completely translated into %s", (language) => {
    const html = healthPage(view, {
      now: new Date("2026-11-26T12:00:00Z"),
      token: "token",
      message: "repaired",
      texts: textsIn(language),
    });
    expect(html).toContain(`<html lang="${language}" dir="${language === "ar" ? "rtl" : "ltr"}">`);
    const left = english.filter(
      (text) =>
        text.length > 8 &&
        !text.includes("{") &&
        catalogue(language)[text] !== text &&
        html.includes(escapeHtml(text)),
    );
    expect(left).toEqual([]);
  });
});

const order = { order_number: "7", order_url: "https://shop.example/wp-admin/post.php?post=7&action=edit" };
const at = "2026-11-26T11:57:00+00:00";
const view: HealthView = {
  store: "demo",
  mode: "sandbox",
  status: "attention",
  summary:
    "Some or all customers can’t pay with Tillgate. Missed webhooks aren’t being recovered. Some orders don’t match Tillgate or need attention.",
  can_pay: false,
  reports_arrive: false,
  books_agree: false,
  last_webhook: { outcome: "applied", event: "pos.order.paid", at, age_ms: 0 },
  last_store_webhook: null,
  store_webhook: "paused",
  last_sweep: { seconds: 1, failed: ["reading the shop’s changes", "comparing the clocks"], at, age_ms: 0 },
  last_error: {
    doing: "checking an open payment",
    order: 7,
    cause: "store_timeout",
    words:
      "The shop took too long to respond. Ask its hosting provider why, or raise timeout_seconds in CONNECTOR_STORES.",
    text: "timeout of 30000ms exceeded",
    at,
    age_ms: 0,
    ...order,
  },
  payments: { under_way: 2, given_up: 1 },
  waiting_changes: 3,
  clocks: { store: 600, tillgate: 0, warning: clockWarning({ store: 600 }) },
  mismatches: 1,
  problem_counts: { mismatch: 1 },
  problems: [
    {
      kind: "mismatch",
      order_id: 7,
      ...order,
      text: "Tillgate: paid 41.50 EUR, transaction TRX-1 (POS-1), but the order total is 60.00 EUR. Compare them, then complete or refund the order.",
      times: 3,
      first_at: at,
      last_at: at,
    },
  ],
  comparison: {
    store: "demo",
    last: {
      asked_by: "night",
      under_way: false,
      started_at: at,
      ended_at: at,
      compared: 80,
      skipped: 1,
    },
    days: 90,
    difference_count: 60,
    accepted_count: 2,
    differences: [
      {
        payment_id: 1,
        order_id: 7,
        ...order,
        subject: "order",
        subject_id: "7",
        field: "state",
        kind: "paid_shop_unpaid",
        text: "41.50 EUR was paid in Tillgate (transaction TRX-1), but the order’s status in the shop is “Pending payment”.",
        advice: "Complete the order manually, or refund the payment in Tillgate.",
        repair: "apply_order",
        repair_label: "Update from Tillgate",
        found_at: at,
      },
    ],
  },
};
