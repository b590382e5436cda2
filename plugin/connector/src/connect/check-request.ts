/** `POST /webhooks/test` itself waits up to 15 s for the endpoint. */
export const CHECK_TIMEOUT_MS = 25_000;
const MAX_RESPONSE_CHARACTERS = 8 * 1024 * 1024;

export type CheckResponse =
  | { status: number; body: unknown; isPage: boolean; date: Date | null; location: string | null }
  | { status: null; reason: string };

/** Sends a request; does not follow redirects, so that no key goes to another host. Never throws: after a network failure, the status is null. */
export async function sendRequest(address: string, init: RequestInit = {}): Promise<CheckResponse> {
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
      date: parseDate(response.headers.get("date")),
      location: response.headers.get("location"),
    };
  } catch (error) {
    return { status: null, reason: failureReason(error) };
  }
}

function parse(text: string): { value: unknown; isJson: boolean } {
  try {
    const value: unknown = text.length > MAX_RESPONSE_CHARACTERS ? null : JSON.parse(text);
    return { value, isJson: typeof value === "object" && value !== null };
  } catch {
    return { value: null, isJson: false };
  }
}

export function parseDate(text: unknown): Date | null {
  const date = typeof text === "string" ? new Date(text) : null;
  return date === null || Number.isNaN(date.getTime()) ? null : date;
}

const NETWORK_ERRORS: Record<string, string> = {
  ENOTFOUND: "host name not found (DNS)",
  EAI_AGAIN: "DNS lookup failed",
  ECONNREFUSED: "connection refused",
  ECONNRESET: "connection reset",
  ETIMEDOUT: "connection timed out",
  UND_ERR_CONNECT_TIMEOUT: "connection timed out",
  CERT_HAS_EXPIRED: "its certificate has expired",
  DEPTH_ZERO_SELF_SIGNED_CERT: "its certificate is self-signed",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "its certificate chain is incomplete",
  ERR_TLS_CERT_ALTNAME_INVALID: "its certificate is for another host name",
};

/** Describes why a request got no response. `fetch` stores the code of a network error in the error's cause. */
export function failureReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === "TimeoutError") return `no response within ${CHECK_TIMEOUT_MS / 1000} s`;
  const cause = error.cause instanceof Error ? error.cause : error;
  const code = "code" in cause ? String(cause.code) : "";
  return (
    NETWORK_ERRORS[code] ?? ([code, cause.message].filter((part) => part !== "").join(" ") || error.name)
  );
}
