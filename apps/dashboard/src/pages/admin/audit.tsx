import { auditCheckAnswerSchema, auditListAnswerSchema } from "@tillgate/contract";
import type { ReactNode } from "react";
import type { z } from "zod";
import { read } from "../../edge/console-edge";
import { consolePage } from "../../page/console-page";
import { AdminFrame } from "../../views/admin-frame";
import { ListExports } from "../../views/list-exports";
import { Card, Empty, Pages, Table, Time } from "../../views/parts";
import { usePage } from "../../views/use-page";

export const config = { unstable_runtimeJS: false };

const FILTERS = ["merchant", "by", "action", "subject"] as const;
type Check = z.infer<typeof auditCheckAnswerSchema>["data"];
type Props = z.infer<typeof auditListAnswerSchema>["data"] & {
  filters: Readonly<Record<string, string>>;
  check: Check | null;
};

/** Who changed what, chained by hashes; `?check=1` recomputes every chain. */
export default function AuditPage({ records, next, filters, check }: Props): ReactNode {
  const { t } = usePage();
  return (
    <AdminFrame
      title={t("admin.audit.title")}
      tools={
        <a className="button quiet" href="/admin/audit?check=1" data-testid="check-audit">
          {t("admin.audit.check")}
        </a>
      }
    >
      {check === null ? null : <CheckResult {...check} />}
      <div className="list-tools">
        <form className="filters" method="get" action="/admin/audit">
          {FILTERS.map((name) => (
            <label key={name}>
              <span>{t(`admin.audit.${name}`)}</span>
              <input type="search" name={name} defaultValue={filters[name]} autoComplete="off" />
            </label>
          ))}
          <button type="submit" className="button quiet">
            {t("filter.apply")}
          </button>
          {Object.keys(filters).length > 0 ? <a href="/admin/audit">{t("filter.clear")}</a> : null}
        </form>
        <ListExports path="/admin/audit" filters={filters} />
      </div>
      {records.length === 0 ? (
        <Empty title={t(Object.keys(filters).length > 0 ? "list.noneFound" : "admin.audit.none")} />
      ) : (
        <Card>
          <Table
            caption={t("admin.audit.title")}
            rows={records}
            keyOf={({ record_id }) => record_id}
            columns={[
              { title: t("admin.audit.at"), cell: ({ at }) => <Time at={at} exact /> },
              { title: t("admin.audit.by"), cell: ({ by }) => <span className="whole">{by}</span> },
              { title: t("admin.audit.action"), cell: ({ action }) => <code className="id">{action}</code> },
              { title: t("admin.audit.merchant"), cell: ({ merchant }) => merchant ?? t("admin.house") },
              {
                title: t("admin.audit.details"),
                cell: ({ subject, details, number, hash }) => (
                  <details>
                    <summary>{subject}</summary>
                    <pre tabIndex={-1}>{JSON.stringify(details, null, 2)}</pre>
                    <p className="soft">
                      {t("admin.audit.link", { number })} <code className="id">{hash}</code>
                    </p>
                  </details>
                ),
              },
            ]}
          />
        </Card>
      )}
      <Pages next={next} />
    </AdminFrame>
  );
}

function CheckResult({ sound, violations, chains }: Check): ReactNode {
  const { t } = usePage();
  const records = chains.reduce((sum, chain) => sum + chain.records, 0);
  return (
    <div className={`box ${sound ? "good" : "bad"}`} data-testid="audit-check">
      <p>{t(sound ? "admin.audit.sound" : "admin.audit.broken", { records, chains: chains.length })}</p>
      {violations.length > 0 ? (
        <ul>
          {violations.map((violation) => (
            <li key={violation}>{violation}</li>
          ))}
        </ul>
      ) : null}
    </div>
  );
}

export const getServerSideProps = consolePage<Props>({
  load: async ({ caller, query }) => {
    const filters = Object.fromEntries(
      FILTERS.flatMap((name) => {
        const value = query(name);
        return value ? [[name, value]] : [];
      }),
    );
    const [list, check] = await Promise.all([
      read(caller, "/administration/audit", auditListAnswerSchema, { ...filters, before: query("before") }),
      query("check") === undefined
        ? null
        : read(caller, "/administration/audit/check", auditCheckAnswerSchema),
    ]);
    return { ...list, filters, check };
  },
});
