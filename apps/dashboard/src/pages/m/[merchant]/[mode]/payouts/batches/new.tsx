import {
  amountNotationSchema,
  type BatchProblem,
  createdBatchResponseSchema,
  MAX_BATCH_BYTES,
  toLocalDay,
} from "@tillgate/contract";
import type { ReactNode } from "react";
import { consolePage } from "#server/console-page.ts";
import { choiceField, FormRejected, rejectField, textField } from "#server/forms.ts";
import type { FormError } from "#server/page.ts";
import { done } from "#server/request.ts";
import { Button, Field, FileField, Form, SecondFactorField, Select, TextArea } from "#views/form.tsx";
import { Frame } from "#views/frame.tsx";
import { Card, Code, Facts } from "#views/parts.tsx";
import { useMerchantPage } from "#views/use-page.tsx";

export const config = { unstable_runtimeJS: false };

/** Maximum size of the form, larger than the file limit, so that an oversized file is reported next to its field. */
const MAX_FILE_FORM_BYTES = 4 * 1024 * 1024;
const EXAMPLE = `id,recipient,amount,currency,description
W-2041,+33612345678,120.00,EUR,Wages May
W-2042,noe@example.com,85.50,EUR,Wages May`;

/** Renders the upload form for a bulk payout. Uploading a file does not start any payouts. */
export default function NewBatchPage(): ReactNode {
  const { page, t, to } = useMerchantPage();
  const back = to("payouts", "batches");
  return (
    <Frame title={t("batch.new")} back={{ href: back, text: t("batch.byFile") }}>
      <div className="columns">
        <Card>
          <Form action="upload" files>
            <FileField
              name="file"
              label={t("batch.file")}
              hint={t("batch.fileHint")}
              accept=".csv,text/csv,text/plain"
            />
            <TextArea
              name="lines"
              label={t("batch.pasted")}
              hint={t("batch.pastedHint")}
              rows={page.form === null ? 5 : 14}
              optional
            />
            <Select
              name="amounts"
              label={t("batch.amounts")}
              hint={t("batch.amountsHint")}
              choices={amountNotationSchema.options}
            />
            <Field name="name" label={t("batch.name")} hint={t("batch.nameHint")} optional />
            <SecondFactorField />
            <Button testId="upload">{t("batch.upload")}</Button>
            <p className="hint">{t("batch.uploadText")}</p>
          </Form>
        </Card>
        <Card title={t("batch.format")}>
          <Facts
            rows={[
              ["id", t("batch.formatId")],
              ["recipient", t("batch.formatRecipient")],
              ["amount", t("batch.formatAmount")],
              ["currency", t("batch.formatCurrency")],
              ["receiver_currency", t("batch.formatReceiver")],
              ["description", t("batch.formatDescription")],
            ]}
          />
          <Code id="example" text={EXAMPLE} label={t("batch.example")} unwrapped />
        </Card>
      </div>
    </Frame>
  );
}

/** Decodes an uploaded file as UTF-8, otherwise as Windows-1252, which old spreadsheets write. */
function textOfFile(base64: string): string {
  const bytes = Buffer.from(base64, "base64");
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

const toFormError = ({ line, column, fault, value }: BatchProblem): FormError => ({
  field: null,
  text: `batch.fault.${fault}`,
  values: { line, column: column ?? "", value: value ?? "" },
});

export const getServerSideProps = consolePage<object>({
  right: "payouts.create",
  maxFileFormBytes: MAX_FILE_FORM_BYTES,
  load: async () => ({}),
  actions: {
    upload: async ({ change, caller, apiPath, consolePath }, form) => {
      const file = form.get("file") ?? "";
      const csv = file === "" ? (form.get("lines") ?? "") : textOfFile(file);
      if (csv.trim() === "") rejectField("file", "batch.required");
      if (Buffer.byteLength(csv) > MAX_BATCH_BYTES) rejectField("file", "batch.tooLarge");
      const name = textField(form, "name") || toLocalDay(new Date(), caller.timeZone);
      // Rejected rows are shown for correction.
      form.set("lines", csv);
      const amounts = choiceField(form, "amounts", amountNotationSchema);
      const fields = { name, csv, amounts };
      const created = await change(apiPath("payouts", "batches"), createdBatchResponseSchema, fields);
      if (created.batch_id !== null)
        return done(consolePath("payouts", "batches", created.batch_id), "batch.uploaded");
      const unlisted = created.problem_count - created.problems.length;
      const errors = created.problems.map(toFormError);
      if (unlisted > 0) errors.push({ field: null, text: "batch.moreFaults", values: { count: unlisted } });
      throw new FormRejected(errors);
    },
  },
});
