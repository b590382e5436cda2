import type { ReactNode } from "react";
import { localPath } from "../http/local-path";
import { consolePage } from "../page/console-page";
import { needed } from "../page/form-reader";
import { Button, Field, Form } from "../views/form";
import { Frame } from "../views/frame";
import { usePage } from "../views/use-page";

export const config = { unstable_runtimeJS: false };

/** The second step of signing in. The code is checked where every form's second factor is (console-page.ts). */
export default function SecondFactorPage(): ReactNode {
  const { t } = usePage();
  return (
    <Frame title={t("factor.title")} narrow>
      <div className="card">
        <Form action="show">
          <Field
            name="second_factor"
            label={t("factor.field")}
            hint={t("factor.fieldHint")}
            autoComplete="one-time-code"
          />
          <Button testId="show-factor">{t("factor.button")}</Button>
        </Form>
        <Form action="leave" to="/sign-out" className="inline">
          <Button kind="link">{t("factor.other")}</Button>
        </Form>
      </div>
    </Frame>
  );
}

export const getServerSideProps = consolePage({
  waiting: true,
  load: async () => ({}),
  actions: {
    show: async ({ query }, form) => {
      needed(form, "second_factor");
      return { to: localPath(query("next")) ?? "/" };
    },
  },
});
