import pg from "pg";

/** What PostgreSQL executed, including statements nested in functions and the checks at the commit. */
export type Work = { statements: number; foreignKeys: number; triggers: number; buffers: number };

type Explained = {
  Plan: { "Shared Hit Blocks": number; "Shared Read Blocks": number };
  Triggers?: { "Constraint Name"?: string; Calls: number }[];
};

const EXPLAIN = `LOAD 'auto_explain';
  SET auto_explain.log_min_duration = 0;
  SET auto_explain.log_nested_statements = on;
  SET auto_explain.log_analyze = on;
  SET auto_explain.log_timing = off;
  SET auto_explain.log_buffers = on;
  SET auto_explain.log_triggers = on;
  SET auto_explain.log_format = json;
  SET auto_explain.log_level = notice;`;

export type ExplainingClient = {
  /** Runs a statement and adds up its plans. @throws Error if PostgreSQL reported no plan. */
  explain(query: pg.QueryConfig): Promise<Work>;
  end(): Promise<void>;
};

/** Opens a connection that explains its statements. @param url superuser URL. @param role role that runs the statements. */
export async function connectExplaining(url: string, role: string): Promise<ExplainingClient> {
  const client = new pg.Client({ connectionString: url });
  let plans: Explained[] = [];
  client.on("notice", ({ message }) => {
    const [, json] = /^duration: .* plan:\n(.*)$/s.exec(message ?? "") ?? [];
    if (json !== undefined) plans.push(JSON.parse(json));
  });
  await client.connect();
  await client.query(`${EXPLAIN} SET SESSION AUTHORIZATION ${pg.escapeIdentifier(role)}`);
  return {
    async explain(query) {
      plans = [];
      await client.query(query);
      if (plans.length === 0) throw new Error("auto_explain reported no plan.");
      return addUp(plans);
    },
    end: () => client.end(),
  };
}

function addUp(plans: readonly Explained[]): Work {
  const triggers = plans.flatMap((plan) => plan.Triggers ?? []);
  const isForeignKey = (trigger: (typeof triggers)[number]) =>
    /_fkey$/.test(trigger["Constraint Name"] ?? "");
  const foreignKeys = triggers.filter(isForeignKey);
  const count = (some: typeof triggers) => some.reduce((sum, { Calls }) => sum + Calls, 0);
  return {
    statements: plans.length,
    foreignKeys: count(foreignKeys),
    triggers: count(triggers) - count(foreignKeys),
    // A statement's buffers include those of the statements nested in it: the outermost has the most.
    buffers: Math.max(...plans.map(({ Plan }) => Plan["Shared Hit Blocks"] + Plan["Shared Read Blocks"])),
  };
}
