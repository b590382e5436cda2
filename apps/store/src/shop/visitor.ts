import { createHash, createHmac, randomBytes } from "node:crypto";
import type { Request, Response } from "express";
import { isSameSecret } from "../same-secret.js";

/** All ports of a host share cookies, so each app uses a different name. */
const COOKIE_NAME = "tillgate_store";
const COOKIE_DAYS = 30;

export type Visitor = {
  cartId: Buffer;
  /** CSRF token of the visitor's forms. */
  formToken: string;
};

export function readCookie(request: Request, name: string): string | undefined {
  for (const pair of (request.get("cookie") ?? "").split(";")) {
    const [key = "", ...rest] = pair.split("=");
    if (key.trim() === name) return rest.join("=").trim();
  }
  return undefined;
}

export const hash = (value: string): Buffer => createHash("sha256").update(value).digest();

/** Identifies visitors by a random cookie. Nothing is stored in the database before a visitor fills a cart. */
export class Visitors {
  readonly #formKey: Buffer;
  readonly #secure: boolean;
  readonly #newVisitors = new WeakMap<Response, string>();

  constructor(formKey: Buffer, storeUrl: string) {
    this.#formKey = formKey;
    this.#secure = storeUrl.startsWith("https:");
  }

  /** Identifies the visitor of a request. A new visitor gets a cookie. */
  identify(request: Request, response: Response): Visitor {
    const known = this.#cookieOf(request) ?? this.#newVisitors.get(response);
    if (known !== undefined) return this.#visitor(known);
    const secret = randomBytes(24).toString("base64url");
    this.#newVisitors.set(response, secret);
    response.cookie(COOKIE_NAME, secret, {
      httpOnly: true,
      sameSite: "lax",
      secure: this.#secure,
      path: "/",
      maxAge: COOKIE_DAYS * 86_400_000,
    });
    return this.#visitor(secret);
  }

  /** Identifies the visitor of a form; undefined without a cookie, or if the CSRF token is not the visitor's. */
  identifyForm(request: Request, formToken: unknown): Visitor | undefined {
    const secret = this.#cookieOf(request);
    if (secret === undefined || typeof formToken !== "string") return undefined;
    const visitor = this.#visitor(secret);
    return isSameSecret(visitor.formToken, formToken) ? visitor : undefined;
  }

  #cookieOf(request: Request): string | undefined {
    const value = readCookie(request, COOKIE_NAME);
    return value !== undefined && /^[A-Za-z0-9_-]{32}$/.test(value) ? value : undefined;
  }

  #visitor(secret: string): Visitor {
    const formToken = createHmac("sha256", this.#formKey).update(`form ${secret}`).digest("base64url");
    return { cartId: hash(secret), formToken };
  }
}
