import { tokenAnswerSchema } from "@tillgate/contract";
import { type Line, send } from "./send.js";

/** A token is renewed this long before it ends, so that none ends on its way to the API. */
const RENEW_BEFORE_END_MS = 60_000;

type Kept = { token: string; renewAt: number };

export type AccessTokens = Required<Pick<Line, "authorize">> & { forget(): boolean };

/**
 * Fetches access tokens and keeps the last one. Calls that need one at the same time share one request.
 * @param line reaches the token endpoint
 */
export function accessTokensOf(line: Line, client: { clientId: string; clientSecret: string }): AccessTokens {
  let kept: Kept | undefined;
  let fetching: Promise<Kept> | undefined;

  const fetchToken = async (): Promise<Kept> => {
    const asked = Date.now();
    const { data } = await send(line, {
      method: "POST",
      path: "/authentication/token",
      body: { client_id: client.clientId, secret_id: client.clientSecret },
      answer: tokenAnswerSchema,
    });
    return { token: data.access_token, renewAt: asked + data.expire_time * 1000 - RENEW_BEFORE_END_MS };
  };

  return {
    async authorize() {
      if (kept === undefined || Date.now() >= kept.renewAt) {
        fetching ??= fetchToken().finally(() => {
          fetching = undefined;
        });
        kept = await fetching;
      }
      return `Bearer ${kept.token}`;
    },
    forget() {
      const had = kept !== undefined;
      kept = undefined;
      return had;
    },
  };
}
