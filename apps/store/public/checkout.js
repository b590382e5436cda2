// Ignores further clicks while the form is being sent. The server creates one order either way.
const form = document.getElementById("checkout");
const longestWaitMs = 8000;
let sent = false;
const allow = () => {
  sent = false;
};
form.addEventListener("submit", (event) => {
  if (sent) event.preventDefault();
  sent = true;
  // Re-enables the button if no response arrives.
  setTimeout(allow, longestWaitMs);
});
addEventListener("pageshow", allow);
