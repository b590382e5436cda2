import { consoleMeAnswerSchema } from "@tillgate/contract";
import type { ReactNode } from "react";
import type { z } from "zod";
import { read } from "../edge/console-edge";
import { consolePage } from "../page/console-page";
import { fieldOf, refuseField } from "../page/form-reader";
import { placePath } from "../place-path";
import { Button, Field, Form } from "../views/form";
import { Frame } from "../views/frame";
import { Card, Empty } from "../views/parts";
import { usePage } from "../views/use-page";

export const config = { unstable_runtimeJS: false };

type Me = z.infer<typeof consoleMeAnswerSchema>["data"];

const MERCHANT_ID = /^[0-9a-f-]{36}$/i;

/** Whose merchant it is; a member of one merchant is led there at once. */
export default function ChooseMerchantPage(): ReactNode {
  const { page, t } = usePage();
  const { merchants = [], administrator = false } = page.user ?? {};
  return (
    <Frame title={t("choose.title")} narrow>
      {merchants.length > 0 ? (
        <Card>
          <ul className="choices">
            {merchants.map(({ id, name, role }) => (
              <li key={id}>
                <a href={placePath(id, "sandbox")}>{name}</a>{" "}
                <span className="soft">{t(`role.${role}`)}</span>
              </li>
            ))}
          </ul>
        </Card>
      ) : null}
      {merchants.length === 0 && !administrator ? (
        <Empty title={t("choose.none")}>
          <p>{t("choose.noneText")}</p>
        </Empty>
      ) : null}
      {administrator ? (
        <Card title={t("choose.administrator")}>
          <Form action="open">
            <Field name="merchant" label={t("choose.id")} hint={t("choose.idHint")} />
            <Button>{t("choose.open")}</Button>
          </Form>
        </Card>
      ) : null}
    </Frame>
  );
}

export const getServerSideProps = consolePage<Me>({
  load: ({ caller }) => read(caller, "/me", consoleMeAnswerSchema),
  leadTo: ({ query }, { merchants }) => {
    const [only, ...others] = merchants;
    return only && others.length === 0 && query("choose") === undefined
      ? placePath(only.merchant_id, "sandbox")
      : null;
  },
  actions: {
    open: async (_request, form) => {
      const id = fieldOf(form, "merchant");
      if (!MERCHANT_ID.test(id)) refuseField("merchant", "error.merchantId");
      return { to: placePath(id, "sandbox") };
    },
  },
});
