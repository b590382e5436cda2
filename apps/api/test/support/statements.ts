import type { Database } from "@tillgate/database";
import { expect } from "vitest";

export type Statement = { text: string; values: unknown[] };

/** Records every statement of connections that are opened after the call. */
export function recordStatements({ pool }: Database): Statement[] {
  const statements: Statement[] = [];
  pool.on("connect", (client) => {
    const query = client.query.bind(client);
    Reflect.set(client, "query", (...sent: Parameters<typeof query>) => {
      const [first, values]: unknown[] = sent;
      const text = typeof first === "string" ? first : Reflect.get(Object(first), "text");
      const bound = typeof first === "string" ? values : Reflect.get(Object(first), "values");
      if (typeof text === "string") statements.push({ text, values: Array.isArray(bound) ? bound : [] });
      return query(...sent);
    });
  });
  return statements;
}

type Plan = { "Node Type": string; "Relation Name"?: string; "Index Name"?: string; Plans?: Plan[] };

const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];

export async function explain({ pool }: Database, { text, values }: Statement): Promise<Plan[]> {
  const { rows } = await pool.query<{ "QUERY PLAN": { Plan: Plan }[] }>(
    `EXPLAIN (FORMAT JSON) ${text}`,
    values,
  );
  const [explained] = rows[0]?.["QUERY PLAN"] ?? [];
  if (!explained) throw new Error(`PostgreSQL returned no plan for ${text}`);
  return nodesOf(explained.Plan);
}

/**
 * Counts the database pages that SELECT and WITH statements access, a measure that is independent of the
 * machine's speed. Executes each statement twice and counts the second execution, because the first also
 * reads the catalogue and marks new rows as visible.
 */
export async function countAccessedPages({ pool }: Database, statements: Statement[]): Promise<number> {
  let pages = 0;
  const client = await pool.connect();
  try {
    for (const { text, values } of statements.filter(({ text }) => /^\s*(SELECT|WITH)/i.test(text))) {
      const count = async (): Promise<number> => {
        const { rows } = await client.query<{ "QUERY PLAN": { Plan: Accessed }[] }>(
          `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`,
          values,
        );
        const plan = rows[0]?.["QUERY PLAN"][0]?.Plan;
        if (!plan) throw new Error(`PostgreSQL returned no plan for ${text}`);
        return plan["Shared Hit Blocks"] + plan["Shared Read Blocks"];
      };
      await count();
      pages += await count();
    }
  } finally {
    client.release();
  }
  return pages;
}

type Accessed = { "Shared Hit Blocks": number; "Shared Read Blocks": number };

/** Expects no sequential scan of these tables. @returns the indexes used, and all plan nodes. */
export async function expectIndexScans(
  database: Database,
  statements: Statement[],
  tables: string[],
): Promise<{ indexes: Set<string>; steps: Plan[] }> {
  const steps: Plan[] = [];
  for (const statement of statements) {
    if (!/^\s*(SELECT|WITH|INSERT|UPDATE|DELETE)/i.test(statement.text)) continue;
    for (const step of await explain(database, statement)) {
      steps.push(step);
      const table = step["Relation Name"];
      if (table !== undefined && tables.includes(table))
        expect(step["Node Type"], `${table} in ${statement.text}`).not.toBe("Seq Scan");
    }
  }
  return { indexes: new Set(steps.flatMap((step) => step["Index Name"] ?? [])), steps };
}
