/** The texts of what every list of orders, refunds and payouts has. */
export const enLists = {
  "columns.choose": "Columns",
  "columns.show": "Show these columns",
  "export.shown": "Export as shown:",
  "export.all": "With all columns:",
};
