/** A part of a page under one heading, as the search finds it. */
export interface Section {
  /** Its address from the root of the site. */
  id: string;
  page: string;
  heading: string;
  text: string;
}
