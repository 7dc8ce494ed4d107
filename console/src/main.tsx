import "@mantine/core/styles.css";
import "@mantine/notifications/styles.css";
import "./styles.css";
import "./trusted-types.ts";
import { createRoot } from "react-dom/client";
import { App, startFirstPage } from "./app.tsx";
import { changeLanguage, preferredLanguage } from "./i18n/texts.ts";

const root = document.getElementById("root");
if (!root) throw new Error("index.html has no #root");
startFirstPage();
try {
  await changeLanguage(preferredLanguage());
  createRoot(root).render(<App />);
} catch (error) {
  // Without its texts the console can say nothing else.
  root.textContent = "Hearback cannot be reached: reload the page. – Hearback est injoignable : rechargez la page.";
  reportError(error);
}
