import { approvalsResponseSchema, auditListResponseSchema, decisionResponseSchema } from "@tillgate/contract";
import type { ReactNode } from "react";
import { z } from "zod";
import { ApiError } from "#internal-api.ts";
import { joinPath } from "#paths.ts";
import { consolePage } from "#server/console-page.ts";
import { choiceField, confirmFirst, FormRejected, requiredField, textField } from "#server/forms.ts";
import type { Question } from "#server/page.ts";
import type { PageRequest } from "#server/request.ts";
import { textOfCase } from "#texts/texts.ts";
import { AdminFrame } from "#views/admin-frame.tsx";
import { Button, ConfirmedForm, Field, NoDefaultButton, SecondFactorField } from "#views/form.tsx";
import { Badge, Card, type Column, Empty, Money, Table, Time } from "#views/parts.tsx";
import { usePage } from "#views/use-page.tsx";

export const config = { unstable_runtimeJS: false };

const kindSchema = z.enum(["payouts", "refunds", "requests"]);
type Kind = z.infer<typeof kindSchema>;
type Approvals = z.infer<typeof approvalsResponseSchema>["data"];

export default function ApprovalsPage({ payouts, refunds, requests }: Approvals): ReactNode {
  const { t } = usePage();
  const isEmpty = payouts.length + refunds.length + requests.length === 0;
  return (
    <AdminFrame title={t("admin.approvals.title")}>
      <PasswordHalf />
      {isEmpty ? (
        <Empty title={t("admin.approvals.none")}>
          <p>{t("admin.approvals.noneText")}</p>
        </Empty>
      ) : null}
      <Waiting
        kind="payouts"
        rows={payouts}
        idOf={({ payout_id }) => payout_id}
        columns={[
          {
            title: t("order.reference"),
            cell: ({ reference, payout_id }) => <Named text={reference} id={payout_id} />,
          },
          {
            title: t("admin.merchant"),
            cell: ({ merchant, mode }) => <MerchantCell merchant={merchant} mode={mode} />,
          },
          { title: t("list.amount"), cell: ({ money }) => <Money money={money} />, number: true },
          { title: t("admin.approvals.recipient"), cell: ({ recipient }) => recipient },
          { title: t("list.created"), cell: ({ created_at }) => <Time at={created_at} /> },
        ]}
      />
      <Waiting
        kind="refunds"
        rows={refunds}
        idOf={({ refund_id }) => refund_id}
        columns={[
          {
            title: t("order.order"),
            cell: ({ order_id, refund_id }) => <Named text={order_id} id={refund_id} />,
          },
          {
            title: t("admin.merchant"),
            cell: ({ merchant, mode }) => <MerchantCell merchant={merchant} mode={mode} />,
          },
          { title: t("list.amount"), cell: ({ money }) => <Money money={money} />, number: true },
          {
            title: t("refund.received"),
            cell: ({ received }) => (received ? <Money money={received} /> : "–"),
            number: true,
          },
          { title: t("admin.approvals.recipient"), cell: ({ recipient }) => recipient ?? "" },
          { title: t("admin.approvals.reason"), cell: ({ reason }) => reason ?? "" },
          { title: t("list.created"), cell: ({ created_at }) => <Time at={created_at} /> },
        ]}
      />
      <Waiting
        kind="requests"
        rows={requests}
        idOf={({ request_id }) => request_id}
        columns={[
          {
            title: t("admin.approvals.kind"),
            cell: ({ kind }) => textOfCase(t, "admin.request", kind),
            words: true,
          },
          {
            title: t("admin.approvals.owner"),
            cell: ({ owner, mode }) => <MerchantCell merchant={owner ?? ""} mode={mode} />,
          },
          {
            title: t("list.amount"),
            cell: ({ money }) => (money === null ? "" : <Money money={money} />),
            number: true,
          },
          { title: t("admin.approvals.askedBy"), cell: ({ requested_by }) => requested_by },
          { title: t("list.created"), cell: ({ requested_at }) => <Time at={requested_at} /> },
        ]}
      />
    </AdminFrame>
  );
}

const Named = ({ text, id }: { text: string; id: string }): ReactNode => (
  <>
    {text} <code className="id">{id}</code>
  </>
);

const MerchantCell = ({ merchant, mode }: { merchant: string; mode: string | null }): ReactNode => (
  <>
    {merchant} {mode === null ? null : <Badge status={mode} />}
  </>
);

/** Renders the second half of a new administrator's password. The administrator who requested the account hands over the first half. */
function PasswordHalf(): ReactNode {
  const { page, t } = usePage();
  if (page.secret?.kind !== "password") return null;
  return (
    <Card title={t("admin.approvals.half")} testId="secret">
      <p>{t("admin.approvals.halfText")}</p>
      <code className="id">{page.secret.text}</code>
    </Card>
  );
}

type WaitingProps<Row> = {
  kind: Kind;
  rows: readonly Row[];
  idOf: (row: Row) => string;
  columns: readonly Column<Row>[];
};

function Waiting<Row>({ kind, rows, idOf, columns }: WaitingProps<Row>): ReactNode {
  const { t } = usePage();
  if (rows.length === 0) return null;
  const title = t(`admin.approvals.${kind}`);
  return (
    <Card title={title} testId={`waiting-${kind}`}>
      <Table
        caption={title}
        rows={rows}
        keyOf={idOf}
        columns={[
          ...columns,
          { title: t("list.actions"), cell: (row) => <Decide kind={kind} id={idOf(row)} /> },
        ]}
      />
    </Card>
  );
}

function Decide({ kind, id }: { kind: Kind; id: string }): ReactNode {
  const { t } = usePage();
  return (
    <ConfirmedForm label={t("admin.approvals.decide")} action="decide" of={id}>
      <NoDefaultButton />
      <input type="hidden" name="kind" value={kind} />
      {kind === "requests" ? null : <Field name="reason" label={t("admin.approvals.reason")} optional />}
      <SecondFactorField />
      <div className="tools">
        <Button kind="quiet" name="decision" value="approve">
          {t("admin.approvals.approve")}…
        </Button>
        <Button kind="quiet" name="decision" value="decline">
          {t("admin.approvals.decline")}…
        </Button>
      </div>
    </ConfirmedForm>
  );
}

/** Reports who already decided. @throws FormRejected naming the administrator if the audit log has the decision; otherwise the original error */
async function rethrowDecided({ read }: PageRequest, subject: string, error: unknown): Promise<never> {
  if (!(error instanceof ApiError) || !["already_decided", "request_not_found"].includes(error.code))
    throw error;
  const { records } = await read("/administration/audit", auditListResponseSchema, { subject });
  const decided = records.find(({ action }) => /\.(approve|reject|decline)$/.test(action));
  if (!decided) throw error;
  throw new FormRejected(
    [{ field: null, text: "admin.approvals.decidedBy", values: { by: decided.by } }],
    409,
  );
}

/** Returns the details of the item to approve or reject; null if the item is not in the list of pending items. */
function findFacts(
  { t, f }: PageRequest,
  waiting: Approvals,
  kind: Kind,
  id: string,
): Question["facts"] | null {
  const inMode = (name: string | null, mode: string | null) =>
    [name, mode && textOfCase(t, "mode", mode)].filter(Boolean).join(" · ");
  if (kind === "payouts") {
    const payout = waiting.payouts.find(({ payout_id }) => payout_id === id);
    return (
      (payout && [
        { label: "list.amount", value: f.money(payout.money) },
        { label: "admin.merchant", value: inMode(payout.merchant, payout.mode) },
        { label: "admin.approvals.recipient", value: payout.recipient },
        { label: "payout.received", value: f.money(payout.received) },
        { label: "payout.fee", value: f.money(payout.fee) },
        { label: "order.reference", value: payout.reference },
      ]) ??
      null
    );
  }
  if (kind === "refunds") {
    const refund = waiting.refunds.find(({ refund_id }) => refund_id === id);
    return (
      (refund && [
        { label: "list.amount", value: f.money(refund.money) },
        ...(refund.received ? [{ label: "refund.received" as const, value: f.money(refund.received) }] : []),
        { label: "admin.merchant", value: inMode(refund.merchant, refund.mode) },
        { label: "admin.approvals.recipient", value: refund.recipient ?? "" },
        { label: "order.order", value: refund.order_id },
      ]) ??
      null
    );
  }
  const request = waiting.requests.find(({ request_id }) => request_id === id);
  return (
    (request && [
      { label: "admin.approvals.kind", value: textOfCase(t, "admin.request", request.kind) },
      { label: "list.amount", value: request.money === null ? "" : f.money(request.money) },
      { label: "admin.approvals.owner", value: inMode(request.owner, request.mode) },
      { label: "order.reference", value: request.reference ?? "" },
      { label: "admin.approvals.askedBy", value: request.requested_by },
    ]) ??
    null
  );
}

export const getServerSideProps = consolePage<Approvals>({
  load: ({ read }) => read("/administration/approvals", approvalsResponseSchema),
  actions: {
    decide: async (request, form) => {
      const { read, change } = request;
      const kind = choiceField(form, "kind", kindSchema);
      const decision = choiceField(form, "decision", z.enum(["approve", "decline"]));
      const approve = decision === "approve";
      const id = requiredField(form, "of");
      const path = joinPath("administration", "approvals", kind, id);
      const reason = textField(form, "reason");
      const waiting = await read("/administration/approvals", approvalsResponseSchema);
      const facts = findFacts(request, waiting, kind, id);
      // An item that is not listed has usually been decided already: the decision is then sent without a question, and the API reports
      // the error.
      if (facts !== null)
        confirmFirst(form, {
          text: `admin.approvals.ask.${decision}.${kind}`,
          facts: [...facts, { label: "admin.approvals.reason", value: reason }],
          button: `admin.approvals.${decision}`,
        });
      const fields = { approve, ...(reason === "" ? {} : { reason }) };
      const { password_half: half } = await change(path, decisionResponseSchema, fields).catch(
        (error: unknown) => rethrowDecided(request, id, error),
      );
      const text = approve ? ("admin.approvals.approved" as const) : ("admin.approvals.declined" as const);
      const notice = { tone: "good" as const, text };
      return {
        to: "/admin/approvals",
        flash: { notice, ...(half === null ? {} : { secret: { kind: "password" as const, text: half } }) },
      };
    },
  },
});
