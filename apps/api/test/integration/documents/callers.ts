import { type ApiResponse, basic, send } from "../../support/requests.js";
import type { DescribedOperation, ResponseCheck } from "./documented-responses.js";

/** Authorization header by security scheme; null: none. */
export type Authorization = Record<string, string | null>;

export type Call = {
  /** Path parameters by name. */
  parameters?: Record<string, string>;
  query?: string;
  body?: unknown;
  /** A raw body. */
  text?: string;
  headers?: Record<string, string>;
  /** Base URL of another API. */
  url?: string;
  /** Index of the operation's server; 0 is the sandbox. */
  server?: number;
  authorization?: Authorization;
};

/** Calls an operation at its documented path and checks the response against the document. */
export type Caller = (id: string, call?: Call) => Promise<ApiResponse>;

export const authorizationOf = (access: {
  client_id: string;
  client_secret: string;
  api_token?: string;
  access_token?: string;
}): Authorization => ({
  clientCredentials: basic(access),
  apiToken: access.api_token ? `Bearer ${access.api_token}` : null,
  accessToken: access.access_token ? `Bearer ${access.access_token}` : null,
});

export function createCaller(
  operations: DescribedOperation[],
  { check }: ResponseCheck,
  standard: { url: string; authorization: Authorization },
): Caller {
  return async (id, call = {}) => {
    const operation = operations.find((described) => described.id === id);
    if (!operation) throw new Error(`the document has no operation ${id}`);
    const path = operation.path.replace(/\{(\w+)\}/g, (_part, name: string) => {
      const value = call.parameters?.[name];
      if (value === undefined) throw new Error(`${id} was called without the path parameter ${name}`);
      return value;
    });
    const { authorization = standard.authorization, url = standard.url } = call;
    const proof = operation.security === null ? null : authorization[operation.security];
    const hasBody = call.text !== undefined || call.body !== undefined;
    const response = await send(`${url}${operation.servers[call.server ?? 0]}${path}${call.query ?? ""}`, {
      method: operation.method.toUpperCase(),
      headers: {
        ...(hasBody ? { "content-type": "application/json" } : {}),
        ...(proof ? { authorization: proof } : {}),
        ...call.headers,
      },
      ...(hasBody ? { body: call.text ?? JSON.stringify(call.body) } : {}),
    });
    check(operation, response);
    return response;
  };
}
