import { type Mode, PAY_API_PATH } from "@tillgate/contract";
import { openApiDocument } from "@tillgate/contract/openapi";
import { z } from "zod";

/** Path shown in each mode's reference. The mode of a call depends only on its token. */
const PARTNER_PATH: Readonly<Record<Mode, string>> = {
  sandbox: "/api/partner/sandbox/v1",
  live: "/api/partner/v1",
};

const operationSchema = z.object({
  operationId: z.string(),
  summary: z.string(),
  tags: z.array(z.string()).nonempty(),
  security: z.array(z.record(z.string(), z.unknown())).default([]),
  requestBody: z
    .object({
      content: z.object({
        "application/json": z.object({
          examples: z.record(z.string(), z.object({ value: z.record(z.string(), z.unknown()) })).optional(),
        }),
      }),
    })
    .optional(),
});

type AuthMethod = "none" | "clientCredentials" | "accessToken" | "apiToken";
const authMethodSchema = z.enum(["clientCredentials", "accessToken", "apiToken"]);

export type Operation = {
  id: string;
  method: string;
  path: string;
  summary: string;
  auth: AuthMethod;
  body: Record<string, unknown> | null;
};
export type ReferenceGroup = { name: string; operations: Operation[] };

function readGroups(mode: Mode): ReferenceGroup[] {
  const groups = new Map<string, Operation[]>();
  for (const [path, methods] of Object.entries(openApiDocument().paths)) {
    if (![PAY_API_PATH[mode], PARTNER_PATH[mode]].some((base) => path.startsWith(`${base}/`))) continue;
    for (const [method, described] of Object.entries(methods)) {
      const operation = operationSchema.parse(described);
      const [example] = Object.values(operation.requestBody?.content["application/json"].examples ?? {});
      const name = (operation.tags[0] ?? "").split(" (")[0] ?? "";
      const group = groups.get(name) ?? [];
      groups.set(name, group);
      group.push({
        id: operation.operationId,
        method: method.toUpperCase(),
        path,
        summary: operation.summary,
        auth: authMethodSchema.safeParse(Object.keys(operation.security[0] ?? {})[0]).data ?? "none",
        body: example?.value ?? null,
      });
    }
  }
  return [...groups].map(([name, operations]) => ({ name, operations }));
}

const read = new Map<Mode, ReferenceGroup[]>();

/** Returns the public operations of a mode from the API's OpenAPI document. The result is cached. */
export function getReference(mode: Mode): ReferenceGroup[] {
  const groups = read.get(mode) ?? readGroups(mode);
  read.set(mode, groups);
  return groups;
}

export type SnippetValues = { base: string; clientId: string; secret: string };

const shellQuote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** Returns an operation as a curl command, with the given URL and credentials. Tokens and path parameters are placeholders. */
export function curlLine({ method, path, auth, body }: Operation, values: SnippetValues): string {
  const authOptions: Readonly<Record<AuthMethod, string | null>> = {
    none: null,
    clientCredentials: `-u ${shellQuote(`${values.clientId}:${values.secret}`)}`,
    accessToken: "-H 'Authorization: Bearer ACCESS_TOKEN'",
    apiToken: "-H 'Authorization: Bearer API_TOKEN'",
  };
  const own = body && {
    ...body,
    ...("client_id" in body ? { client_id: values.clientId } : {}),
    ...("secret_id" in body ? { secret_id: values.secret } : {}),
  };
  // curl would expand braces.
  const address = `${values.base}${path.replace(/\{(\w+)\}/g, (_, name: string) => name.toUpperCase())}`;
  return [
    `curl -X ${method} ${shellQuote(address)}`,
    authOptions[auth],
    own && "-H 'Content-Type: application/json'",
    own && `-d ${shellQuote(JSON.stringify(own, null, 2))}`,
  ]
    .filter((part) => part !== null && part !== undefined)
    .join(" \\\n  ");
}
