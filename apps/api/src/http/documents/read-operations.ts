import { type OpenApiDocument, openApiDocument } from "@tillgate/contract/openapi";
import { z } from "zod";
import { describeType, listFields, type Resolve, type SchemaField, schemaSchema } from "./schema-fields.js";

const exampleSchema = z.object({ summary: z.string().optional(), value: z.unknown() });
/** A body's schema and examples, by media type. Each body has one media type. */
const content = z.record(
  z.string(),
  z.object({
    schema: z.object({ $ref: z.string() }).partial().optional(),
    examples: z.record(z.string(), exampleSchema).optional(),
    /** The text of a file. */
    example: z.string().optional(),
  }),
);
const JSON_TYPE = "application/json";
const operationSchema = z.object({
  operationId: z.string(),
  tags: z.array(z.string()).nonempty(),
  summary: z.string(),
  description: z.string().default(""),
  security: z.array(z.record(z.string(), z.unknown())).default([]),
  parameters: z.array(z.record(z.string(), z.unknown())).default([]),
  requestBody: z.object({ content }).optional(),
  responses: z.record(z.string(), z.object({ description: z.string(), content: content.optional() })),
});
const parameterSchema = z.object({
  name: z.string(),
  in: z.string(),
  required: z.boolean().default(false),
  description: z.string().default(""),
  example: z.string().optional(),
  schema: schemaSchema.default({}),
});

export type Field = SchemaField & { location: string; example?: string | undefined };
export type OperationResponse = {
  status: string;
  description: string;
  fields: SchemaField[];
  example: string | null;
  /** `json`, or the format of a file. */
  format: string;
};
export type Operation = {
  /** Name in the page's path, which is the same for both modes. */
  id: string;
  /** Anchor on the "try it" page. */
  anchor: string;
  /** Every method and path: one per mode, or a short alias. */
  addresses: string[];
  summary: string;
  description: string;
  /** Null for an event and for an operation without credentials. */
  authorization: string | null;
  fields: Field[];
  example: string | null;
  responses: OperationResponse[];
};
export type OperationGroup = { name: string; operations: Operation[] };

let built: OpenApiDocument | undefined;

/** Builds the document at its first use, because that takes a tenth of a process's startup time. */
function getDocument(): OpenApiDocument {
  built ??= openApiDocument();
  return built;
}

export const readDescription = (): string =>
  z.object({ description: z.string() }).parse(getDocument().info).description;

const parseName = (reference: unknown): string => z.string().parse(reference).split("/").at(-1) ?? "";
const resolve: Resolve = (reference) =>
  schemaSchema.parse(getDocument().components.schemas[parseName(reference)]);

const readBodyFields = (body: z.output<typeof content> | undefined): SchemaField[] => {
  const reference = body?.[JSON_TYPE]?.schema?.$ref;
  return reference === undefined ? [] : listFields({ $ref: reference }, resolve);
};

const readExample = (body: z.output<typeof content> | undefined): string | null => {
  const [file] = Object.values(body ?? {});
  if (file?.example !== undefined) return file.example.trim();
  const [first] = Object.values(body?.[JSON_TYPE]?.examples ?? {});
  return first === undefined ? null : JSON.stringify(first.value, null, 2);
};

const readFormat = (body: z.output<typeof content> | undefined): string => {
  const [type = JSON_TYPE] = Object.keys(body ?? {});
  return type.slice(type.indexOf("/") + 1);
};

function readFields({ parameters, requestBody }: z.output<typeof operationSchema>): Field[] {
  const described = parameters.map((parameterOrReference) => {
    const parameter =
      "$ref" in parameterOrReference
        ? getDocument().components.parameters[parseName(parameterOrReference.$ref)]
        : parameterOrReference;
    const { in: location, schema, ...rest } = parameterSchema.parse(parameter);
    return { location, ...rest, type: describeType(schema, resolve) };
  });
  return [
    ...described,
    ...readBodyFields(requestBody?.content).map((field) => ({ ...field, location: "body" })),
  ];
}

function toOperation(address: string, described: unknown): Operation & { tag: string } {
  const operation = operationSchema.parse(described);
  const { operationId: id, summary, description, security, requestBody, responses, tags } = operation;
  const [tag = ""] = tags;
  return {
    id: id.replace(/InSandbox$/, ""),
    anchor: `#${id}`,
    tag: tag.split(" (")[0] ?? tag,
    addresses: [address],
    summary,
    description,
    authorization: Object.keys(security[0] ?? {})[0] ?? null,
    fields: readFields(operation),
    example: readExample(requestBody?.content),
    responses: Object.entries(responses).map(([status, response]) => ({
      status,
      description: response.description,
      // Every error has the same body, described on the errors page.
      fields: status.startsWith("2") ? readBodyFields(response.content) : [],
      example: readExample(response.content),
      format: readFormat(response.content),
    })),
  };
}

/** Lists all operations and events by subject. An operation with several paths appears once, with all of its paths. */
export function readOperationGroups(): OperationGroup[] {
  const { paths, webhooks } = getDocument();
  const every = [
    ...Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, definition]) =>
        toOperation(`${method.toUpperCase()} ${path}`, definition),
      ),
    ),
    ...Object.entries(webhooks).map(([event, definition]) =>
      toOperation(event, z.object({ post: z.unknown() }).parse(definition).post),
    ),
  ];
  const groups = new Map<string, Operation[]>();
  for (const { tag, ...operation } of every) {
    const group = groups.get(tag) ?? [];
    groups.set(tag, group);
    const same = group.find(({ summary }) => tag !== "Events" && summary === operation.summary);
    if (same) same.addresses.push(...operation.addresses);
    else group.push(operation);
  }
  return [...groups].map(([name, operations]) => ({ name, operations }));
}
