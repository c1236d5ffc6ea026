import { createRoot } from "react-dom/client";
import { Root } from "./root.tsx";

const element = document.querySelector("#root");
if (element !== null) createRoot(element).render(<Root />);
