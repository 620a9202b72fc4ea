# What scripts/firmware.sh builds for the board lm3s6965evb, a Cortex-M3.
folder=lm3s6965evb
processor=cortex-m3
parts=(Processor Devices)
# In bytes: code and constants in flash; variables and stack in RAM; no heap. Both are above the
# bars of Benchmarks/README.md, which the sealed link has missed. On the board a pairing overruns a
# stack of 1,792 bytes, and none of 2,048.
text_budget=26112
ram_budget=6528
stack=2304
