/** The moment it is, in unix milliseconds. World time may be moved by a sandbox; real time never is. */
export type Clock = () => number;
