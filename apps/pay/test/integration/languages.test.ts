import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { payableView, shopperWith, timestamp, usdQuote, usdWallet } from "../fake-api";
import { PageServer, textById } from "../page-server";

const TERMS = "https://operator.example/terms";
const PRIVACY = "https://operator.example/privacy?a=1&b=2";

let server: PageServer;
beforeAll(async () => {
  server = await PageServer.start({ TILLGATE_PAY_TERMS_URL: TERMS, TILLGATE_PAY_PRIVACY_URL: PRIVACY });
});
afterAll(() => server.stop());

let orders = 0;
function placeOrder(locale: string | null, more: object = {}): string {
  orders += 1;
  const token = `spoken${orders}`;
  server.api.orders.set(token, {
    ...payableView(token, { locale, amount: "27498 XAF", currency: "XAF", ...more }),
  });
  return `/pay/${token}`;
}

/** Replaces no-break spaces with regular ones. */
const amountOf = (body: string) => textById(body, "pay-amount")?.replaceAll(/[\u00a0\u202f]/g, " ");

describe("page language", () => {
  it.each([
    ["fr-CM", "de", "fr", "ltr", "27 498 FCFA"],
    ["de", "fr", "de", "ltr", "27.498 FCFA"],
    ["ja-JP", "es-ES,en;q=0.5", "es", "ltr", "27.498 XAF"],
    [null, "pt-PT", "pt", "ltr", "27 498 FCFA"],
    [null, "ar", "ar", "rtl", "\u200f27,498 \u200fFCFA"],
    [null, "zh", "en", "ltr", "27,498 FCFA"],
  ])(
    "follows the order's locale (%s), otherwise Accept-Language (%s): %s",
    async (locale, header, language, direction, amount) => {
      const { body } = await server.visitor().get(placeOrder(locale), { "Accept-Language": header });
      expect(body).toContain(`<html lang="${language}" dir="${direction}">`);
      expect(amountOf(body)).toBe(amount);
      expect(body).toContain('data-amount="27498 XAF"');
      expect(body).toMatch(new RegExp(`aria-current="true"[^>]*data-testid="pay-language-${language}"`));
    },
  );

  it("stays as chosen with the language switch, even for other orders and error pages", async () => {
    const visitor = server.visitor();
    const address = placeOrder("fr");
    const english = await visitor.get(`${address}?wallet=USD&lang=en`);
    expect(english.body).toContain('<html lang="en"');
    // The switch returns to the same view.
    expect(english.body).toContain(`href="${address}?wallet=USD&amp;lang=de"`);
    expect((await visitor.get(placeOrder("de"))).body).toContain('<html lang="en"');
    const rejected = await visitor.get(`${address}/pay`);
    expect(rejected.status).toBe(405);
    expect(rejected.body).toContain('<html lang="en"');
  });

  it("ignores an unsupported ?lang= value", async () => {
    const visitor = server.visitor();
    const { body, headers } = await visitor.get(`${placeOrder("fr")}?lang=%3Cscript%3E`);
    expect(body).toContain('<html lang="fr"');
    expect(headers.getSetCookie().join()).not.toContain("language");
  });

  it("follows Accept-Language on the page of an unknown payment", async () => {
    const { body } = await server.visitor().get("/pay/none", { "Accept-Language": "de" });
    expect(body).toContain("Zahlung nicht gefunden");
  });

  it("does not change the wire format of amounts in attributes", async () => {
    const wallets = [{ ...usdWallet, balance: "1234.50 USD" }];
    server.api.sessions.set("fr", shopperWith(wallets));
    const token = "spoken";
    server.api.orders.set(token, { ...payableView(token, { locale: "fr" }), quote: usdQuote() });
    const { body } = await server.visitor({ tillgate_pay_session: "fr" }).get(`/pay/${token}`);
    for (const wire of ["41.50 EUR", "1234.50 USD", "45.46 USD"])
      expect(body).toContain(`data-amount="${wire}"`);
    expect(body.replaceAll(/[\u00a0\u202f]/g, " ")).toContain("1 234,50 $US");
  });

  it("determines the format of times", async () => {
    const paid = {
      status: "PAID" as const,
      trx_id: "TRX-204817736512",
      paid_at: timestamp(Date.UTC(2026, 10, 21, 14, 5)),
    };
    const { body } = await server.visitor().get(placeOrder("de", paid));
    expect(textById(body, "pay-receipt-time")).toBe("21.11.2026, 14:05 UTC");
  });
});

describe("links to the operator's terms and privacy policy", () => {
  it.each([
    ["en", "Terms of use", "Privacy policy"],
    ["fr", "Conditions d’utilisation", "Politique de confidentialité"],
    ["de", "Nutzungsbedingungen", "Datenschutzerklärung"],
    ["es", "Condiciones de uso", "Política de privacidad"],
    ["pt", "Termos e condições", "Política de privacidade"],
    ["ar", "شروط الاستخدام", "سياسة الخصوصية"],
  ])("are labelled in %s and open in a new tab", async (language, terms, privacy) => {
    const { body } = await server.visitor().get(`${placeOrder(null)}?lang=${language}`);
    for (const [id, address, text] of [
      ["pay-terms", TERMS, terms],
      ["pay-privacy", PRIVACY.replace("&", "&amp;"), privacy],
    ]) {
      expect(textById(body, id ?? "")).toBe(text);
      expect(body).toContain(
        `<a href="${address}" target="_blank" rel="noopener noreferrer" data-testid="${id}">`,
      );
    }
  });

  it("appear on the root page, the wallet sign-in, the embedded frame and the 404 page", async () => {
    const embedded = placeOrder(null).replace("/pay/", "/embed/");
    for (const path of ["/", "/wallet/sign-in", embedded, "/pay/unknown"]) {
      const { body } = await server.visitor().get(path);
      expect(textById(body, "pay-terms"), path).toBe("Terms of use");
      expect(textById(body, "pay-privacy"), path).toBe("Privacy policy");
    }
  });
});
