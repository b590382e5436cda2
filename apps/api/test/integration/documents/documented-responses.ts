import { PARTNER_API_PATHS, PAY_API_PATH } from "@tillgate/contract";
import type { JsonObject, OpenApiDocument } from "@tillgate/contract/openapi";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect } from "vitest";
import { z } from "zod";
import type { ApiResponse } from "../../support/requests.js";

const exampleSchema = z.object({
  message: z.object({ error: z.array(z.string()).optional(), success: z.array(z.string()).optional() }),
  errors: z.record(z.string(), z.array(z.string())).optional(),
  error_code: z.string().optional(),
  param: z.string().optional(),
});

const JSON_TYPE = "application/json";
const responseSchema = z.object({
  headers: z.record(z.string(), z.unknown()),
  content: z.record(
    z.string(),
    z.object({
      schema: z.object({ $ref: z.string().optional() }),
      examples: z.record(z.string(), z.object({ value: exampleSchema })).default({}),
    }),
  ),
});

const operationSchema = z.object({
  operationId: z.string(),
  security: z.array(z.record(z.string(), z.array(z.string()))),
  responses: z.record(z.string(), responseSchema),
});

const pathSchema = z.object({
  get: operationSchema.optional(),
  post: operationSchema.optional(),
  put: operationSchema.optional(),
});

export type DescribedOperation = {
  id: string;
  method: "get" | "post" | "put";
  path: string;
  /** Base paths under which the operation is served. */
  servers: string[];
  security: string | null;
  responses: Map<number, z.infer<typeof responseSchema>>;
};

const BASE_PATHS = [...Object.values(PAY_API_PATH), ...PARTNER_API_PATHS];

function splitPath(path: string): { base: string; under: string } {
  const base = BASE_PATHS.find((candidate) => path.startsWith(`${candidate}/`));
  if (base === undefined) throw new Error(`${path} is under no base path of an API`);
  return { base, under: path.slice(base.length) };
}

const baseOperationId = (id: string): string => id.replace(/(InSandbox|UnderShortPath)$/, "");

/** Lists the operations of the document. An operation under two base paths counts once. */
export function describedOperations(document: OpenApiDocument): DescribedOperation[] {
  const operations = new Map<string, DescribedOperation>();
  for (const [path, item] of Object.entries(document.paths)) {
    const { base, under } = splitPath(path);
    const { get, post, put } = pathSchema.parse(item);
    for (const [method, operation] of Object.entries({ get, post, put })) {
      if (operation === undefined) continue;
      const id = baseOperationId(operation.operationId);
      const responses = new Map(
        Object.entries(operation.responses).map(([status, response]) => [Number(status), response]),
      );
      const known = operations.get(id);
      if (known) {
        expect({ id, under, responses }).toEqual({ id, under: known.path, responses: known.responses });
        known.servers.push(base);
        continue;
      }
      operations.set(id, {
        id,
        method: z.enum(["get", "post", "put"]).parse(method),
        path: under,
        servers: [base],
        security: Object.keys(operation.security[0] ?? {})[0] ?? null,
        responses,
      });
    }
  }
  return [...operations.values()];
}

/** Closes object schemas, so that a response with an undocumented field is invalid. */
function rejectUnknownFields(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(rejectUnknownFields);
  if (typeof schema !== "object" || schema === null) return schema;
  const inner = Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, rejectUnknownFields(value)]),
  );
  return "properties" in inner ? { additionalProperties: false, ...inner } : inner;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const DOCUMENT = "https://api.example.test/openapi.json";

const API_HEADERS = /^(x-request-id|idempotent-.*|ratelimit-.*|retry-after|www-authenticate)$/;

/** Masks currencies, modes and request IDs, of which the document can show only one. */
const generalize = (text: string): string =>
  text
    // The error repeats the currency of the request.
    .replace(/(for currency: ).*$/is, "$1…")
    .replace(/(currency )(?:[A-Z]{3,10}\b|.*(?= is not authorized))/is, "$1…")
    .replace(/req_[0-9a-f]{32}/, "req_…")
    .replace(/(live|sandbox) key/, "… key");

export type ResponseCheck = {
  /** Expects that a response matches the document. */
  check(operation: DescribedOperation, response: ApiResponse): void;
  /** Responses so far: `operation status text`. */
  seen: Set<string>;
};

/** Lists every documented response text in the form of {@link ResponseCheck.seen}. */
export const describedTexts = (operations: DescribedOperation[]): string[] =>
  operations.flatMap(({ id, responses }) =>
    [...responses].flatMap(([status, { content }]) =>
      Object.values(content[JSON_TYPE]?.examples ?? {}).flatMap(({ value }) =>
        textsOf(value).map((text) => `${id} ${status} ${text}`),
      ),
    ),
  );

/** Lists every documented error code. */
export const describedCodes = (operations: DescribedOperation[]): string[] =>
  operations.flatMap(({ responses }) =>
    [...responses.values()].flatMap(({ content }) =>
      Object.values(content[JSON_TYPE]?.examples ?? {}).flatMap(({ value }) => value.error_code ?? []),
    ),
  );

function textsOf({ message, errors }: z.infer<typeof exampleSchema>): string[] {
  if (errors) return Object.values(errors).flat().map(generalize);
  return [...(message.error ?? []), ...(message.success ?? [])].map(generalize);
}

export function createResponseCheck(document: OpenApiDocument): ResponseCheck {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  ajv.addFormat("uuid", UUID);
  ajv.addFormat("date-time", { validate: (text: string) => !Number.isNaN(Date.parse(text)) });
  ajv.addFormat("date", /^\d{4}-\d\d-\d\d$/);
  ajv.addSchema({ $id: DOCUMENT, components: rejectUnknownFields(document.components) });
  const answered = new Set<string>();
  return {
    seen: answered,
    check({ id, responses }, { status, headers, body, text }) {
      const response = responses.get(status);
      if (!response) throw new Error(`${id} returned ${status}, which is not documented: ${text}`);
      const [[type, { schema, examples }] = ["", { schema: {}, examples: {} }]] = Object.entries(
        response.content,
      );
      expect(headers.get("content-type")?.split("; header=")[0]).toBe(`${type}; charset=utf-8`);
      const described = Object.keys(response.headers).map((name) => name.toLowerCase());
      const reported = [...headers.keys()].filter((name) => API_HEADERS.test(name));
      expect(described).toEqual(expect.arrayContaining(reported));
      expect(reported).toContain("x-request-id");
      if (status === 401) expect(reported).toContain("www-authenticate");
      if (status === 429 || status === 503) expect(reported).toContain("retry-after");
      for (const [name, header] of Object.entries(document.components.headers)) {
        const value = headers.get(name);
        if (value !== null)
          expect([name, value]).toEqual([name, expect.stringMatching(headerPattern(header))]);
      }
      if (type !== JSON_TYPE) return;
      const validate = ajv.getSchema(`${DOCUMENT}${schema.$ref}`);
      if (!validate) throw new Error(`${schema.$ref} is not in the document`);
      expect({ id, status, valid: validate(body), errors: validate.errors, body }).toMatchObject({
        valid: true,
      });
      const example = exampleSchema.parse(body);
      const texts = textsOf(example);
      // Field errors have too many texts for the document to show all.
      if (!example.errors)
        expect(Object.values(examples).flatMap(({ value }) => textsOf(value))).toEqual(
          expect.arrayContaining(texts),
        );
      // A documented text has the documented code and field.
      const shown = Object.values(examples).filter(({ value }) =>
        textsOf(value).some((item) => texts.includes(item)),
      );
      if (example.error_code !== undefined) expect(example.error_code).toMatch(/^[a-z]+(_[a-z]+)*$/);
      if (!example.errors && shown.length > 0)
        expect(shown.map(({ value }) => [value.error_code, value.param])).toContainEqual([
          example.error_code,
          example.param,
        ]);
      for (const notified of texts) answered.add(`${id} ${status} ${notified}`);
    },
  };
}

function headerPattern({ schema }: JsonObject): RegExp {
  const {
    type,
    pattern,
    const: only,
  } = z
    .object({ type: z.string(), pattern: z.string().optional(), const: z.string().optional() })
    .parse(schema);
  if (only !== undefined) return new RegExp(`^${only}$`);
  return new RegExp(pattern ?? (type === "integer" ? "^\\d+$" : "."));
}
