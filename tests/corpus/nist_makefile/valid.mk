LEVEL = 1
CFLAGS += -Wall -DLEVEL=$(LEVEL) -D'NAME="toy"' \
  -I.. -I .
ifdef DEBUG
CFLAGS += -DDEBUG
endif
SOURCES := $(wildcard *.c)
test: kem.c test.c
	@$(CC) $(CFLAGS) -o $@ $^
%.o: %.c
	$(CC) $(CFLAGS) -c $< -o $@
