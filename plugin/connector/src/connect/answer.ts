/** For one call of a check, in milliseconds. `POST /webhooks/test` itself waits up to 15 s for the endpoint. */
export const CHECK_TIMEOUT_MS = 25_000;
const MAX_ANSWER_CHARACTERS = 8 * 1024 * 1024;

/** An answer, or why there is none. */
export type Answer =
  | { status: number; body: unknown; isPage: boolean; date: Date | null; location: string | null }
  | { status: null; reason: string };

/**
 * Asks once and follows no redirect, so that no key goes to another address.
 * @returns always; a network failure is an answer too, in words
 */
export async function ask(address: string, init: RequestInit = {}): Promise<Answer> {
  try {
    const response = await fetch(address, {
      redirect: "manual",
      signal: AbortSignal.timeout(CHECK_TIMEOUT_MS),
      ...init,
    });
    const text = await response.text();
    const { value, isJson } = parse(text);
    return {
      status: response.status,
      body: value,
      isPage: !isJson,
      date: dateIn(response.headers.get("date")),
      location: response.headers.get("location"),
    };
  } catch (error) {
    return { status: null, reason: reasonOf(error) };
  }
}

function parse(text: string): { value: unknown; isJson: boolean } {
  try {
    const value: unknown = text.length > MAX_ANSWER_CHARACTERS ? null : JSON.parse(text);
    return { value, isJson: typeof value === "object" && value !== null };
  } catch {
    return { value: null, isJson: false };
  }
}

/** The `Date` header as a time; null where there is none. */
export function dateIn(text: unknown): Date | null {
  const date = typeof text === "string" ? new Date(text) : null;
  return date === null || Number.isNaN(date.getTime()) ? null : date;
}

const codes: Record<string, string> = {
  ENOTFOUND: "its name is not known (DNS)",
  EAI_AGAIN: "its name cannot be looked up now (DNS)",
  ECONNREFUSED: "nothing listens there",
  ECONNRESET: "it broke the connection off",
  ETIMEDOUT: "it does not answer",
  UND_ERR_CONNECT_TIMEOUT: "it does not answer",
  CERT_HAS_EXPIRED: "its certificate has expired",
  DEPTH_ZERO_SELF_SIGNED_CERT: "its certificate is signed by itself",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "its certificate's chain is incomplete",
  ERR_TLS_CERT_ALTNAME_INVALID: "its certificate is for another name",
};

/** Why no answer came, in words. The code of a network error is in its cause. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === "TimeoutError") return `no answer within ${CHECK_TIMEOUT_MS / 1000} s`;
  const cause = error.cause instanceof Error ? error.cause : error;
  const code = "code" in cause ? String(cause.code) : "";
  return codes[code] ?? ([code, cause.message].filter((part) => part !== "").join(" ") || error.name);
}
