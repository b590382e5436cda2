import type { ReactNode } from "react";
import { localPath } from "../http/local-path";
import { consolePage } from "../page/console-page";
import { choiceOf } from "../page/form-reader";
import { languageSchema } from "../texts/languages";
import { Frame } from "../views/frame";
import { usePage } from "../views/use-page";

export const config = { unstable_runtimeJS: false };

/** The foot of every page sends its choice of language here. */
export default function LanguagePage(): ReactNode {
  const { t } = usePage();
  return (
    <Frame title={t("frame.language")} narrow>
      <p>{t("language.below")}</p>
    </Frame>
  );
}

export const getServerSideProps = consolePage({
  open: true,
  load: async () => ({}),
  actions: {
    choose: async ({ query }, form) => ({
      to: localPath(query("next")) ?? "/",
      language: choiceOf(form, "language", languageSchema),
    }),
  },
});
