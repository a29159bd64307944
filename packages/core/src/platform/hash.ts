/** SHA-256 of a text (UTF-8) in hex; synchronous, and handed in, because what is fast differs by host. */
export type Hash = (text: string) => string;
