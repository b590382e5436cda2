import type { ShopUnderTest } from "./shop-under-test.js";

export type PageResponse = {
  status: number;
  /** Target of a redirect. */
  location: string | null;
  html: string;
};

const fieldValue = (html: string, name: string): string => {
  const match = new RegExp(`name="${name}" value="([^"]*)"`).exec(html);
  if (!match?.[1]) throw new Error(`The page has no field named "${name}".`);
  return match[1];
};

export const goodForm = { email: "noor@example.com", first_name: "Noor", last_name: "Buyer" };

/** A visitor whose browser runs no scripts: stores cookies and submits forms. */
export class Shopper {
  readonly #shop: ShopUnderTest;
  readonly #cookies = new Map<string, string>();
  formToken = "";
  /** Sent with every request. */
  userAgent = "Mozilla/5.0 (X11; Linux x86_64) Gecko/20100101 Firefox/140.0";

  constructor(shop: ShopUnderTest) {
    this.#shop = shop;
  }

  /** Creates a visitor who has opened the storefront. */
  static async enter(shop: ShopUnderTest): Promise<Shopper> {
    const shopper = new Shopper(shop);
    shopper.formToken = fieldValue((await shopper.get("/")).html, "form_token");
    return shopper;
  }

  get(path: string): Promise<PageResponse> {
    return this.#fetch(path, {});
  }

  /** Submits a form with the shop's CSRF token, unless the fields contain another. */
  post(
    path: string,
    fields: Record<string, string>,
    headers: Record<string, string> = {},
  ): Promise<PageResponse> {
    const body = new URLSearchParams({ form_token: this.formToken, ...fields });
    return this.#fetch(path, { method: "POST", body, headers });
  }

  async add(slug: string, quantity = 1): Promise<PageResponse> {
    const { html } = await this.get(`/product/${slug}`);
    return this.post("/cart/add", { product_id: fieldValue(html, "product_id"), quantity: String(quantity) });
  }

  /** The submission token on the checkout page. */
  async submission(): Promise<string> {
    return fieldValue((await this.get("/checkout")).html, "submission");
  }

  checkOut(submission: string, fields: Record<string, string> = {}): Promise<PageResponse> {
    return this.post("/checkout", { submission, ...goodForm, ...fields });
  }

  /** Orders one product, without paying, and returns the order's ID and key. */
  async order(slug = "morning-mug"): Promise<{ id: string; key: string }> {
    await this.add(slug);
    return orderIn(await this.checkOut(await this.submission()));
  }

  async cartIsEmpty(): Promise<boolean> {
    return (await this.get("/cart")).html.includes('data-testid="cart-empty"');
  }

  async #fetch(path: string, options: RequestInit): Promise<PageResponse> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const response = await fetch(`${this.#shop.url}${path}`, {
      ...options,
      headers: {
        ...Object.fromEntries(new Headers(options.headers)),
        Cookie: cookie,
        "User-Agent": this.userAgent,
      },
      redirect: "manual",
    });
    for (const line of response.headers.getSetCookie()) {
      const [pair = ""] = line.split(";");
      const [name = "", value = ""] = pair.split("=");
      if (value === "") this.#cookies.delete(name);
      else this.#cookies.set(name, value);
    }
    return {
      status: response.status,
      location: response.headers.get("location"),
      html: await response.text(),
    };
  }
}

/** The order in a redirect's target. */
export function orderIn({ location, status }: PageResponse): { id: string; key: string } {
  const match = /^\/checkout\/order-pay\/(\d+)\?key=(wc_order_\w+)$/.exec(location ?? "");
  if (!match?.[1] || !match[2])
    throw new Error(`The response (status ${status}, redirect to ${location}) contains no order.`);
  return { id: match[1], key: match[2] };
}
