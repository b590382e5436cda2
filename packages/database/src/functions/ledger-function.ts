import { type Queryable, queryRows, type RowReader } from "@tillgate/service";
import type pg from "pg";
import { z } from "zod";
import type { Mode } from "../generated/prisma/enums.js";
import type { RowSchema } from "./rows.js";

/** PostgreSQL's argument types, and the TypeScript types of their values. A trailing `?` allows null. */
type ArgumentTypes = {
  text: string;
  uuid: string;
  bigint: bigint;
  int: number;
  "double precision": number;
  numeric: string;
  boolean: boolean;
  bytea: Buffer;
  json: string;
  jsonb: string;
  "timestamp with time zone": Date;
  mode: Mode;
  payment_method: string;
  transfer_kind: string;
  account_kind: string;
  delivery_status: string;
  /** A row as text. */
  pin_counter: string;
};
export type ArgumentType = keyof ArgumentTypes | `${keyof ArgumentTypes}?`;
type Argument<Type extends ArgumentType> = Type extends `${infer Plain extends keyof ArgumentTypes}?`
  ? ArgumentTypes[Plain] | null
  : Type extends keyof ArgumentTypes
    ? ArgumentTypes[Type]
    : never;
export type Arguments<Params extends Record<string, ArgumentType>> = {
  [Name in keyof Params]: Argument<Params[Name]>;
};

export type Returns<Result> = RowReader<Result> & { select: (call: string) => string };

/** Reads a row. Its columns are selected by name, so that prepared statements keep working when a column is added. */
export const row = <Result>({ columns, parse }: RowSchema<Result>): Returns<Result> => ({
  select: (call) => `SELECT ${columns.join(", ")} FROM ${call}`,
  parse,
});

/** Reads the row returned by a function that takes an idempotency key. `replayed` is whether an earlier call created the row. */
export const rowOnce = <Result>(
  schema: RowSchema<Result>,
): Returns<{ replayed: boolean; result: Result }> => ({
  select: (call) =>
    `SELECT created.replayed, ${schema.columns.map((column) => `(created.result).${column}`).join(", ")} FROM ${call} AS created`,
  parse: (row) => ({ ...replayedSchema.parse(row), result: schema.parse(row) }),
});
const replayedSchema = z.object({ replayed: z.boolean() });

/** Reads a single value. A set-returning function returns one value per row. */
export const value = <Result>(schema: z.ZodType<Result>): Returns<Result> => {
  const resultSchema = z.object({ value: schema });
  return {
    select: (call) => `SELECT ${call} AS value`,
    parse: (row) => resultSchema.parse(row).value,
  };
};

/** Reads no result. The result is cast to text, because Prisma cannot read `void`. */
export const nothing: Returns<void> = {
  select: (call) => `SELECT ${call}::text AS value`,
  parse: () => undefined,
};

/** A SQL function as called from TypeScript. Its source is in the file of the same name. */
export type LedgerFunction<Args extends Record<string, unknown>, Result> = RowReader<Result> & {
  name: string;
  /** The arguments, in their order in `sql`. */
  parameters: Readonly<Record<string, ArgumentType>>;
  sql: string;
  values: (args: Args) => unknown[];
};

/** A SQL function that takes a group of items, or one item if called as a {@link LedgerFunction}. */
export type LedgerGroup<Args extends Record<string, unknown>, Result> = LedgerFunction<Args, Result> & {
  /** One array per argument, with one element per item. */
  valuesOfGroup: (items: readonly Args[]) => unknown[];
};

type Definition<Params extends Record<string, ArgumentType>, Result> = {
  name: string;
  parameters: Params;
  returns: Returns<Result>;
};

/** Defines a SQL function. `parameters` are its arguments in camel case, without `p_`. Amounts are in minor units. */
export function ledgerFunction<const Params extends Record<string, ArgumentType>, Result>(
  definition: Definition<Params, Result>,
): LedgerFunction<Arguments<Params>, Result> {
  const { name, parameters, returns } = definition;
  const names = Object.keys(parameters);
  const call = `${name}(${names.map((name, at) => `${parameterName(name)} => $${at + 1}`).join(", ")})`;
  return {
    name,
    parameters,
    sql: returns.select(call),
    values: (args) => names.map((name) => args[name]),
    parse: returns.parse,
  };
}

/** Defines a SQL function with array arguments. */
export function ledgerGroup<const Params extends Record<string, ArgumentType>, Result>(
  definition: Definition<Params, Result>,
): LedgerGroup<Arguments<Params>, Result> {
  const fn = ledgerFunction(definition);
  const names = Object.keys(definition.parameters);
  const valuesOfGroup = (items: readonly Arguments<Params>[]) =>
    names.map((name) => items.map((item) => item[name]));
  return {
    ...fn,
    values: (args) => valuesOfGroup([args]),
    valuesOfGroup,
  };
}

/** `payerAccountId` becomes `p_payer_account_id`. */
export const parameterName = (name: string): string =>
  `p_${name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`;

/** Calls a function, in the connection's open transaction if there is one. */
export const callRows = <Args extends Record<string, unknown>, Result>(
  connection: Queryable,
  fn: LedgerFunction<Args, Result>,
  args: Args,
): Promise<Result[]> => queryRows(connection, fn, statement(fn, fn.values(args)));

/** A query with a name is prepared once per connection. */
const statement = ({ name, sql }: { name: string; sql: string }, values: unknown[]): pg.QueryConfig => ({
  name,
  text: sql,
  values,
});

/** Calls a function for a group of items, in one transaction. @returns the function's rows, in any order. */
export const callGroup = <Args extends Record<string, unknown>, Result>(
  connection: Queryable,
  fn: LedgerGroup<Args, Result>,
  items: readonly Args[],
): Promise<Result[]> => queryRows(connection, fn, statement(fn, fn.valuesOfGroup(items)));

/** @throws the database's error; Error unless the function returns exactly one row. */
export async function callOne<Args extends Record<string, unknown>, Result>(
  connection: Queryable,
  fn: LedgerFunction<Args, Result>,
  args: Args,
): Promise<Result> {
  const rows = await callRows(connection, fn, args);
  if (rows.length !== 1) throw new Error(`${fn.name} returned ${rows.length} rows; expected one`);
  return rows[0] as Result;
}

/** Calls a single-result function once per element, in order, in one statement. @param args arguments that JSON can represent. */
export function callEach<Args extends Record<string, unknown>, Result>(
  connection: Queryable,
  fn: LedgerFunction<Args, Result>,
  args: readonly Args[],
): Promise<Result[]> {
  const typed = Object.entries(fn.parameters).map(([name, type]) => [name, type.replace("?", "")] as const);
  const parameters = typed.map(([name, type]) => `${parameterName(name)} => each."${name}"::${type}`);
  // JSON is passed as text, as in a single call.
  const columns = typed.map(([name, type]) => `"${name}" ${type.startsWith("json") ? "text" : type}`);
  return queryRows(
    connection,
    fn,
    `SELECT ${fn.name}(${parameters.join(", ")}) AS value FROM json_to_recordset($1) AS each (${columns.join(", ")})`,
    [JSON.stringify(args)],
  );
}
