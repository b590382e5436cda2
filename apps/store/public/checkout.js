// A second click on the button while the first is under way does nothing. The server makes one order either way.
const form = document.getElementById("checkout");
let sent = false;
form.addEventListener("submit", (event) => {
  if (sent) event.preventDefault();
  sent = true;
});
addEventListener("pageshow", () => {
  sent = false;
});
