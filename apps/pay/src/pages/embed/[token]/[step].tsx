import type { GetServerSideProps } from "next";
import type { ReactNode } from "react";
import { config as settings } from "#config.ts";
import { legalOf } from "#http/page-locale.ts";
import { receiveEmbedForm } from "#steps/embed.ts";
import { localeOf } from "#texts/languages.ts";
import { EmbedView, type ShownEmbed } from "#views/embed.tsx";

export const config = { unstable_runtimeJS: false };

/** Target of the frame's test buttons. Rendered only for errors. */
export default function EmbedStepPage(shown: ShownEmbed): ReactNode {
  return <EmbedView {...shown} />;
}

export const getServerSideProps: GetServerSideProps<ShownEmbed> = async (context) => {
  const result = await receiveEmbedForm(context);
  if (typeof result === "string") return { redirect: { destination: result, statusCode: 303 } };
  const locale = localeOf({ header: context.req.headers["accept-language"] });
  return { props: { screen: result, locale, address: null, legal: legalOf(settings()) } };
};
