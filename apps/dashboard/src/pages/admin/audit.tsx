import {
  auditCheckResponseSchema,
  auditListResponseSchema,
  confirmationsCheckResponseSchema,
} from "@tillgate/contract";
import type { ReactNode } from "react";
import type { z } from "zod";
import { consolePage } from "#server/console-page.ts";
import { textOfCase } from "#texts/texts.ts";
import { AdminFrame } from "#views/admin-frame.tsx";
import { NoResults } from "#views/empty-list.tsx";
import { CollapsibleTools, ListExports } from "#views/list-exports.tsx";
import { Card, Pages, Table, Time } from "#views/parts.tsx";
import { usePage } from "#views/use-page.tsx";

export const config = { unstable_runtimeJS: false };

const FILTERS = ["merchant", "by", "action", "subject"] as const;
type Check = z.infer<typeof auditCheckResponseSchema>["data"] & { noted: string };
type Confirmations = z.infer<typeof confirmationsCheckResponseSchema>["data"];
type Props = z.infer<typeof auditListResponseSchema>["data"] & {
  filters: Readonly<Record<string, string>>;
  check: Check | null;
  confirmations: Confirmations | null;
};

/**
 * Renders the audit log. `?check=1` recomputes every hash chain and, with `noted`, looks for a recorded hash; `?confirmations=1` verifies the
 * passkey signatures of payments.
 */
export default function AuditPage({ records, next, filters, check, confirmations }: Props): ReactNode {
  const { t } = usePage();
  return (
    <AdminFrame
      title={t("admin.audit.title")}
      tools={
        <>
          <a className="button quiet" href="/admin/audit?confirmations=1" data-testid="check-confirmations">
            {t("admin.audit.checkConfirmations")}
          </a>
          <a className="button quiet" href="/admin/audit?check=1" data-testid="check-audit">
            {t("admin.audit.check")}
          </a>
        </>
      }
    >
      {check === null ? null : <CheckResult {...check} />}
      {confirmations === null ? null : (
        <Checked
          sound={confirmations.sound}
          text={t(
            confirmations.sound ? "admin.audit.confirmationsSound" : "admin.audit.confirmationsBroken",
            { checked: confirmations.checked },
          )}
          violations={confirmations.violations}
          testId="confirmations-check"
        />
      )}
      <CollapsibleTools filters={Object.keys(filters).length}>
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
      </CollapsibleTools>
      {records.length === 0 ? (
        <NoResults filtered={Object.keys(filters).length > 0} none="admin.audit.none" path="/admin/audit" />
      ) : (
        <Card>
          <Table
            caption={t("admin.audit.title")}
            rows={records}
            keyOf={({ record_id }) => record_id}
            columns={[
              { title: t("admin.audit.at"), cell: ({ at }) => <Time at={at} exact /> },
              { title: t("admin.audit.by"), cell: ({ by }) => by, words: true },
              {
                title: t("admin.audit.action"),
                cell: ({ action }) => <Action action={action} />,
              },
              {
                title: t("admin.audit.merchant"),
                cell: ({ merchant }) => merchant ?? t("admin.house"),
                words: true,
              },
              {
                title: t("admin.audit.details"),
                cell: ({ subject, details, number, hash }) => (
                  <details>
                    <summary>{subject}</summary>
                    <pre>{JSON.stringify(details, null, 2)}</pre>
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

/** Renders the label of an action and its name, which the filter accepts. */
function Action({ action }: { action: string }): ReactNode {
  const { t } = usePage();
  const words = textOfCase(t, "act", action);
  return (
    <span>
      {words === action ? null : words}
      <code className="id whole">{action}</code>
    </span>
  );
}

function CheckResult({ sound, violations, chains, found_noted: foundNoted, noted }: Check): ReactNode {
  const { t } = usePage();
  const records = chains.reduce((sum, chain) => sum + chain.records, 0);
  return (
    <>
      <Checked
        sound={sound}
        text={t(sound ? "admin.audit.sound" : "admin.audit.broken", { records, chains: chains.length })}
        violations={violations}
        testId="audit-check"
      />
      <Card title={t("admin.audit.hashes")}>
        <p>{t("admin.audit.hashesText")}</p>
        <Table
          caption={t("admin.audit.hashes")}
          rows={chains}
          keyOf={({ last_hash }) => last_hash}
          columns={[
            {
              title: t("admin.audit.merchant"),
              cell: ({ merchant }) => merchant ?? t("admin.house"),
              words: true,
            },
            { title: t("admin.audit.records"), cell: (chain) => chain.records, number: true },
            {
              title: t("admin.audit.lastHash"),
              cell: ({ last_hash }) => <code className="id">{last_hash}</code>,
            },
          ]}
        />
        <form className="filters" method="get" action="/admin/audit">
          <input type="hidden" name="check" value="1" />
          <label>
            <span>{t("admin.audit.recordedHash")}</span>
            <input type="search" name="noted" defaultValue={noted} maxLength={64} autoComplete="off" />
          </label>
          <button type="submit" className="button quiet">
            {t("admin.audit.checkRecordedHash")}
          </button>
          {foundNoted === true ? <span className="soft">{t("admin.audit.foundRecordedHash")}</span> : null}
        </form>
      </Card>
    </>
  );
}

type CheckedProps = { sound: boolean; text: string; violations: string[]; testId: string };

function Checked({ sound, text, violations, testId }: CheckedProps): ReactNode {
  return (
    <div className={`box ${sound ? "good" : "bad"}`} data-testid={testId}>
      <p>{text}</p>
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
  load: async ({ read, query }) => {
    const filters = Object.fromEntries(
      FILTERS.flatMap((name) => {
        const value = query(name);
        return value ? [[name, value]] : [];
      }),
    );
    const noted = query("noted")?.trim() ?? "";
    const [list, check, confirmations] = await Promise.all([
      read("/administration/audit", auditListResponseSchema, { ...filters, before: query("before") }),
      query("check") === undefined
        ? null
        : read("/administration/audit/check", auditCheckResponseSchema, noted === "" ? {} : { noted }),
      query("confirmations") === undefined
        ? null
        : read("/administration/audit/confirmations", confirmationsCheckResponseSchema),
    ]);
    return { ...list, filters, check: check && { ...check, noted }, confirmations };
  },
});
