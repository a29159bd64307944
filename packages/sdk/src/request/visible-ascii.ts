/** What a header carries unchanged everywhere. */
export const visibleAscii = /^[\x21-\x7e]+$/;
