import type { enLists } from "./en-lists";

/** The same in French. */
export const frLists: Record<keyof typeof enLists, string> = {
  "columns.choose": "Colonnes",
  "columns.show": "Afficher ces colonnes",
  "export.shown": "Exporter la vue :",
  "export.all": "Avec toutes les colonnes :",
};
