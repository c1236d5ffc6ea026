import { answering } from "../answering.ts";
import { placesOf } from "../graph/layout.ts";

answering(placesOf);
