import type { GetServerSideProps } from "next";
import type { ReactNode } from "react";
import { showEmbed } from "#steps/embed.ts";
import { EmbedView, type ShownEmbed } from "#views/embed.tsx";

export const config = { unstable_runtimeJS: false };

/** An order embedded in the shop's page. */
export default function EmbedPage(shown: ShownEmbed): ReactNode {
  return <EmbedView {...shown} />;
}

export const getServerSideProps: GetServerSideProps<ShownEmbed> = async (context) => ({
  props: await showEmbed(context),
});
