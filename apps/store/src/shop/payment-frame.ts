import { embedOriginSchema, parseWebAddress } from "@tillgate/contract";
import type { Response } from "express";

const POLICY = "Content-Security-Policy";

/**
 * Lets this one page load the payment service's script and show its frame.
 *
 * @returns the script's address; undefined where the payment's address names no plain origin: then the page has its link alone
 */
export function allowPaymentFrame(response: Response, paymentUrl: string): string | undefined {
  const origin = embedOriginSchema.safeParse(parseWebAddress(paymentUrl)?.origin).data;
  const policy = String(response.getHeader(POLICY) ?? "");
  if (origin === undefined || !policy.includes("script-src 'self'")) return undefined;
  const allowed = policy.replace("script-src 'self'", `script-src 'self' ${origin}`);
  response.setHeader(POLICY, `${allowed};frame-src ${origin}`);
  return `${origin}/tillgate.js`;
}
